// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import net.sourceforge.pmd.lang.LanguageProcessor;
import net.sourceforge.pmd.lang.LanguageProcessorRegistry;
import net.sourceforge.pmd.lang.ast.FileAnalysisException;
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

        @Override
        void parse(String sql) {
            PLSQLLanguageModule language = PLSQLLanguageModule.getInstance();
            try (LanguageProcessor processor = language.createProcessor(language.newPropertyBundle());
                    LanguageProcessorRegistry registry = LanguageProcessorRegistry.singleton(processor);
                    TextDocument text = TextDocument.readOnlyString(
                            sql.replace("?", ":b").replaceAll(DIFFERENCE, "($1 - $2)")
                                    + (sql.endsWith(";") ? "\n/\n" : ";\n"),
                            language.getDefaultVersion())) {
                processor.services()
                        .getParser()
                        .parse(new Parser.ParserTask(text, SemanticErrorReporter.noop(), registry));
            } catch (FileAnalysisException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError("The grammar could not be started", e);
            }
        }
    };

    /** Returns if the grammar takes the statement, and throws if it does not. */
    abstract void parse(String sql);
}
