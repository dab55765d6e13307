// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.spring.ReservationProperties.ReservedSettings;
import java.io.InputStream;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.ClassUtils;

/** What IDEs show is what the properties are. */
class MetadataTest {

    @Test
    void everyPropertyIsDescribedWithItsTypeAndDefault() throws Exception {
        Map<String, Object> described = described().entrySet().stream()
                .filter(property -> property.getKey().startsWith("reservation."))
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        property -> property.getValue().get("type") + " = " + property.getValue().get("defaultValue")));
        Map<String, Object> actual = new TreeMap<>();
        collect("reservation", ReservationProperties.class, actual);

        assertThat(described).containsExactlyInAnyOrderEntriesOf(actual);
    }

    @Test
    void everyDescriptionIsASentence() throws Exception {
        assertThat(described().values()).allSatisfy(
                property -> assertThat((String) property.get("description")).matches("[A-Z].*[.]"));
    }

    @Test
    void theOrderInTheAnnotationIsTheOneInTheCode() {
        Starter.inMemory().run(context -> assertThat(context.getBean(ReservationProperties.class).reserved().order())
                .isEqualTo(ReservedSettings.DEFAULT_ORDER));
    }

    private static void collect(String prefix, Class<?> type, Map<String, Object> properties) {
        Parameter[] parameters = type.getDeclaredConstructors()[0].getParameters();
        for (int i = 0; i < parameters.length; i++) {
            RecordComponent component = type.getRecordComponents()[i];
            String name = prefix + '.' + dashed(component.getName());
            if (component.getType().isRecord()) {
                collect(name, component.getType(), properties);
            } else {
                DefaultValue value = parameters[i].getAnnotation(DefaultValue.class);
                properties.put(
                        name,
                        typeName(component) + " = "
                                + (value == null || value.value().length == 0 ? null : value.value()[0]));
            }
        }
    }

    private static String typeName(RecordComponent component) {
        return component.getType().isPrimitive()
                ? ClassUtils.resolvePrimitiveIfNecessary(component.getType()).getName()
                : component.getGenericType().getTypeName();
    }

    private static String dashed(String name) {
        String dashed = name.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
        return ConfigurationPropertyName.of(dashed).toString();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Object>> described() throws Exception {
        try (InputStream json =
                ReservationProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            Map<String, Object> metadata =
                    JsonParserFactory.getJsonParser().parseMap(new String(json.readAllBytes()));
            return ((List<Map<String, Object>>) metadata.get("properties")).stream()
                    .collect(Collectors.toMap(property -> (String) property.get("name"), property -> property));
        }
    }
}
