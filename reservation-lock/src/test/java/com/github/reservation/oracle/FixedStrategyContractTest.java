// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The contract, but for fences and renewals, on a strategy with no more than what there must be. */
@ExtendWith(FixedStrategyContractTest.WithoutRenewals.class)
class FixedStrategyContractTest extends StrategyContract {

    FixedStrategyContractTest() {
        super(MapStrategy::new);
    }

    /** Leaves out what the contract marks as in need of a renewal. */
    static final class WithoutRenewals implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return context.getTags().contains("renewal")
                    ? disabled("The strategy cannot renew")
                    : enabled("No renewal is needed");
        }
    }
}
