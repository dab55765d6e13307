// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.lease.HeldLock;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Operator;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/** The expression for the identifier of a {@link Reserved} method. */
record ReservedKey(Expression expression, Method method, BeanFactory beans) {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final Set<String> ALWAYS_KNOWN = Set.of("#root", "#this");

    /**
     * Parses the expression.
     *
     * @throws IllegalArgumentException if it cannot be parsed, or names a parameter or a property of the bean that does not exist
     */
    static ReservedKey parse(String text, Method method, Class<?> type, BeanFactory beans) {
        try {
            SpelExpression expression = PARSER.parseRaw(text);
            requireKnownVariables(expression.getAST(), variables(method));
            requireKnownWords(expression.getAST(), method, type);
            return new ReservedKey(expression, method, beans);
        } catch (ParseException e) {
            throw new IllegalArgumentException("key is no valid expression: " + e.getMessage(), e);
        }
    }

    /** A {@link HeldLock} is none of them: it does not exist before the lock is acquired. */
    private static Set<String> variables(Method method) {
        Set<String> known = new LinkedHashSet<>();
        @Nullable String[] names = ParameterNames.INSTANCE.getParameterNames(method);
        int[] positions = IntStream.range(0, method.getParameterCount())
                .filter(position -> method.getParameterTypes()[position] != HeldLock.class)
                .toArray();
        if (names != null) {
            Arrays.stream(positions).mapToObj(position -> "#" + names[position]).forEach(known::add);
        }
        Arrays.stream(positions).forEach(position -> {
            known.add("#p" + position);
            known.add("#a" + position);
        });
        return known;
    }

    private static void requireKnownVariables(SpelNode node, Set<String> known) {
        if (node instanceof VariableReference) {
            String variable = node.toStringAST();
            if (!known.contains(variable) && !ALWAYS_KNOWN.contains(variable)) {
                throw new IllegalArgumentException("key names " + variable + ", but the parameters are " + known
                        + ". Names of parameters need the compiler's option -parameters, or the annotation @P");
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            requireKnownVariables(node.getChild(i), known);
        }
    }

    /** A bare word is a property of the bean. Where the bean has none of that name, a parameter or a constant was meant. */
    private static void requireKnownWords(SpelNode node, Method method, Class<?> type) {
        if (node instanceof PropertyOrFieldReference property && !hasProperty(type, method, property.getName())) {
            String word = property.getName();
            throw new IllegalArgumentException("key names " + word + ", but " + type.getName()
                    + " has no such property: write #" + word
                    + " for a parameter, or put a constant into single quotes");
        }
        if (node instanceof CompoundExpression) {
            requireKnownWords(node.getChild(0), method, type);
        } else if (node instanceof Operator) {
            for (int i = 0; i < node.getChildCount(); i++) {
                requireKnownWords(node.getChild(i), method, type);
            }
        }
    }

    /**
     * Returns whether an expression can read the property. Also true where a subclass may have it. The method itself is none: to read
     * it would run the method without its lock.
     */
    private static boolean hasProperty(Class<?> type, Method method, String name) {
        String capitalized = StringUtils.capitalize(name);
        List<String> getters = List.of(name, "get" + name, "is" + name, "get" + capitalized, "is" + capitalized);
        return Modifier.isAbstract(type.getModifiers())
                || Arrays.stream(type.getFields()).anyMatch(field -> field.getName().equals(name))
                || Arrays.stream(type.getMethods())
                        .filter(getter -> getter.getParameterCount() == 0 && !getter.equals(method))
                        .anyMatch(getter -> getters.contains(getter.getName()));
    }

    /**
     * Returns the identifier for a call.
     *
     * @throws IllegalArgumentException if the expression fails, or its value cannot be an identifier
     */
    String identifier(Object target, @Nullable Object[] arguments) {
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(target, method, arguments, ParameterNames.INSTANCE);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        Object value;
        try {
            value = expression.getValue(context);
        } catch (EvaluationException e) {
            throw new IllegalArgumentException(describe() + " failed: " + e.getMessage(), e);
        }
        if (value == null) {
            throw new IllegalArgumentException(describe() + " is null");
        }
        if (!hasText(value.getClass())) {
            throw new IllegalArgumentException(describe() + " is a " + value.getClass().getTypeName()
                    + ", whose toString() differs from node to node: use one of its fields");
        }
        return value.toString();
    }

    private static boolean hasText(Class<?> type) {
        Method toString = ReflectionUtils.findMethod(type, "toString");
        return !type.isArray() && toString != null && toString.getDeclaringClass() != Object.class;
    }

    private String describe() {
        return "The key \"" + expression.getExpressionString() + "\" of @Reserved on "
                + method.getDeclaringClass().getName() + '.' + method.getName();
    }
}
