-- SPDX-License-Identifier: Apache-2.0
-- CREATE TABLE IF NOT EXISTS fails on PostgreSQL if another session creates the same table at the same time.
SELECT pg_advisory_lock(hashtext('pickup-store schema'));
