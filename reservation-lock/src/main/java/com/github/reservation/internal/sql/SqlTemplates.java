// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Expands the templates of the statements of one table. A template names a fragment in braces, as in <code>UPDATE
 * {table}</code>, and a parameter with a colon, as in {@code :key}. Fragments can name fragments and parameters too. The order in
 * which fragments are given does not matter.
 *
 * <p>A mistake fails when the statements are built, not when one is executed: a name that is not known, a fragment that contains
 * itself, and, after {@link #requireAllUsed}, a fragment that no template uses.
 */
public final class SqlTemplates {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");
    private static final Pattern PARAMETER = Pattern.compile(":([a-z]+)");

    private final Map<String, String> fragments;
    private final Set<String> parameters;
    private final Set<String> unused;
    private final List<SqlStatement> statements = new ArrayList<>();

    /**
     * Makes templates with shared fragments.
     *
     * @param fragments the text of each fragment, by its name
     * @param parameters the names of all parameters that can be bound
     */
    public SqlTemplates(Map<String, String> fragments, Set<String> parameters) {
        this.fragments = Map.copyOf(fragments);
        this.parameters = Set.copyOf(parameters);
        this.unused = new TreeSet<>(fragments.keySet());
    }

    /** Expands a template that needs the shared fragments only. */
    public SqlStatement statement(String purpose, String template) {
        return statement(purpose, template, Map.of());
    }

    /**
     * Expands a template.
     *
     * @param purpose what the statement is for
     * @param own fragments of this template alone, each of which it must use; they replace shared ones of the same name
     * @throws IllegalArgumentException if a name is unknown, if a fragment contains itself, or if an own fragment is unused
     */
    public SqlStatement statement(String purpose, String template, Map<String, String> own) {
        SqlStatement statement = expand(purpose, template, own);
        statements.add(statement);
        return statement;
    }

    /** Expands a template for lists: <code>{list}</code> stands for the parameter, as often as the list is long. */
    public SqlList list(String purpose, String template, String parameter) {
        return list(purpose, template, Map.of(), SqlList.SIZES, parameter, ", ");
    }

    /**
     * Expands a template for lists: <code>{list}</code> stands for an element, as often as the list is long.
     *
     * @param sizes how long a list can be
     * @param element a text with parameters
     * @param separator what is between two elements
     */
    public SqlList list(
            String purpose, String template, Map<String, String> own, List<Integer> sizes, String element,
            String separator) {
        NavigableMap<Integer, SqlStatement> bySize = new TreeMap<>();
        for (int size : sizes) {
            Map<String, String> withList = new HashMap<>(own);
            withList.put("list", String.join(separator, Collections.nCopies(size, element)));
            bySize.put(size, expand(purpose, template, withList));
        }
        statements.add(bySize.firstEntry().getValue());
        return new SqlList(bySize);
    }

    /** Returns all statements in the order in which they were made; of those with a list the one for the shortest. */
    public List<SqlStatement> statements() {
        return List.copyOf(statements);
    }

    private SqlStatement expand(String purpose, String template, Map<String, String> own) {
        Map<String, String> known = new HashMap<>(fragments);
        known.putAll(own);
        Set<String> used = new HashSet<>();
        String text = expand(template, known, Set.of(), used).strip();
        for (String name : own.keySet()) {
            if (!used.contains(name)) {
                throw new IllegalArgumentException("The template does not use {" + name + "}: " + template);
            }
        }
        List<String> names = PARAMETER.matcher(text).results().map(this::parameter).toList();
        return new SqlStatement(purpose, PARAMETER.matcher(text).replaceAll("?"), names);
    }

    /**
     * Checks that the templates use every shared fragment.
     *
     * @throws IllegalStateException if one is unused
     */
    public void requireAllUsed() {
        if (!unused.isEmpty()) {
            throw new IllegalStateException("No template uses the fragments " + unused);
        }
    }

    private String expand(String text, Map<String, String> known, Set<String> expanding, Set<String> used) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> {
            String name = found.group(1);
            String fragment = known.get(name);
            if (fragment == null) {
                throw new IllegalArgumentException("There is no fragment {" + name + "}: " + text);
            }
            Set<String> nested = new HashSet<>(expanding);
            if (!nested.add(name)) {
                throw new IllegalArgumentException("The fragment {" + name + "} contains itself");
            }
            used.add(name);
            unused.remove(name);
            return Matcher.quoteReplacement(expand(fragment, known, nested, used));
        });
    }

    private String parameter(MatchResult found) {
        String name = found.group(1);
        if (!parameters.contains(name)) {
            throw new IllegalArgumentException("There is no parameter :" + name);
        }
        return name.intern(); // As the names in the code are: then it is equal to one of them at the first look.
    }
}
