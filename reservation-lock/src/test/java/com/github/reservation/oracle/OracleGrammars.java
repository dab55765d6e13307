// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import net.sourceforge.pmd.lang.LanguageProcessor;
import net.sourceforge.pmd.lang.LanguageProcessorRegistry;
import net.sourceforge.pmd.lang.ast.Parser;
import net.sourceforge.pmd.lang.ast.SemanticErrorReporter;
import net.sourceforge.pmd.lang.document.TextDocument;
import net.sourceforge.pmd.lang.plsql.PLSQLLanguageModule;
import org.apache.shardingsphere.sql.parser.api.CacheOption;
import org.apache.shardingsphere.sql.parser.api.SQLParserEngine;

/** Two grammars of Oracle's SQL that others have written. A statement is fine for them, or they throw. */
enum OracleGrammars {

    /** The SQL grammar of Apache ShardingSphere. */
    SHARDINGSPHERE {

        private final SQLParserEngine engine = new SQLParserEngine("Oracle", new CacheOption(1, 1));

        @Override
        void parse(String sql) {
            engine.parse(sql, false);
        }
    },

    /**
     * The PL/SQL grammar of PMD, which knows blocks and what the driver adds. It wants named parameters, and does not know that
     * {@code EXTRACT} takes more than a name or a call.
     */
    PMD {

        private static final String DIFFERENCE = "EXTRACT\\(DAY FROM (\\S+) - (TIMESTAMP '[^']*')\\)";

        private final PLSQLLanguageModule language = PLSQLLanguageModule.getInstance();
        private final LanguageProcessor processor = language.createProcessor(language.newPropertyBundle());
        private final LanguageProcessorRegistry registry = LanguageProcessorRegistry.singleton(processor);

        @Override
        void parse(String sql) {
            String named = sql.replace("?", ":b").replaceAll(DIFFERENCE, "($1 - $2)");
            TextDocument text = TextDocument.readOnlyString(
                    named + (named.endsWith(";") ? "\n/\n" : ";\n"), language.getDefaultVersion());
            processor.services()
                    .getParser()
                    .parse(new Parser.ParserTask(text, SemanticErrorReporter.noop(), registry));
        }
    };

    /** Returns if the grammar takes the statement, and throws if it does not. */
    abstract void parse(String sql);
}
