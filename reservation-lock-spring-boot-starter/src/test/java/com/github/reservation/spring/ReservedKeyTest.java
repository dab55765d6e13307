// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** Which words of a key are properties of the bean. */
class ReservedKeyTest {

    /** Something that a class inherits. */
    public interface Constants {
        String PREFIX = "order-";
    }

    /** The bean. */
    public static class Orders implements Constants {

        @SuppressWarnings("unused")
        private final String hidden = "x";

        public final String open = "open-";

        public String getRegion() {
            return "north-";
        }

        public String geteMail() {
            return "mail-";
        }

        public String tenant() {
            return "tenant-";
        }

        public String ship() {
            return "shipped";
        }

        public void ship(String id) {}
    }

    private static ReservedKey parse(String key, Class<?>... parameters) throws NoSuchMethodException {
        Method method = Orders.class.getMethod("ship", parameters);
        return ReservedKey.parse(key, method, Orders.class, new StaticListableBeanFactory());
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "PREFIX + #id", "open + #id", "region + #id", "eMail + #id", "tenant + #id", "ship + #id",
            "region.length()"})
    void whatAnExpressionCanReadIsAccepted(String key) throws Exception {
        ReservedKey parsed = parse(key, String.class);

        assertThat(parsed.identifier(new Orders(), new Object[]{"42"})).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hidden + #id", "id", "nightly-report"})
    void whatNoExpressionCanReadIsRefused(String key) {
        assertThatIllegalArgumentException().isThrownBy(() -> parse(key, String.class))
                .withMessageContaining("has no such property");
    }

    /** To read it would run the method, without its lock. */
    @Test
    void theMethodItselfIsNoPropertyOfItsKey() {
        assertThatIllegalArgumentException().isThrownBy(() -> parse("ship"))
                .withMessageContaining("put a constant into single quotes");
    }
}
