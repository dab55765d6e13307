-- SPDX-License-Identifier: Apache-2.0
SELECT pg_advisory_unlock(hashtext('pickup-store schema'));
