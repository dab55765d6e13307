#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Starts the shop twice, on the ports 8080 and 8081, on one PostgreSQL that this script brings along. Linux on x86-64, no Docker.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
exec mvn -q -pl examples/pickup-store -am test-compile exec:exec@two-instances
