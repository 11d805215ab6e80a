/**
 * Test files that change something in their process, or leave something that others would meet: each has a process of
 * its own. All others share one: a new process costs a third of a second, and loading the gateway's modules a whole
 * one.
 */
export const ALONE_TESTS: readonly string[] = [
  'client/{browser,options}.test.ts',
  'client/recipes/recipes.test.ts',
  'client/toolbox/sandbox.test.ts',
  'contract-tests/consumers/samples/receivers.test.ts',
  'server/callbacks/sender-tls.test.ts',
  'server/admin/cli/explain.test.ts',
  'server/verification/end-to-end/rsa-key-rotation.test.ts',
  'server/message-spool/message-spool.test.ts',
  'server/outbound/{outbound-guard,private-networks,resolve-names}.test.ts',
  'server/progress.test.ts',
  'server/start/outages.test.ts',
  'server/storage/shared-clock.test.ts',
  'server/verification/testing/shared-tests.test.ts',
]

/** The longest first: otherwise one that starts late keeps a worker waiting that has nothing else to do. */
export const LONG_TESTS: readonly string[] = [
  'contract-tests/suite.pull-request.test.ts',
  'server/rails/conformance/adapters.test.ts',
  'server/verification/end-to-end/resilience.slow.test.ts',
  'server/verification/end-to-end/stalled-database.slow.test.ts',
  'contract-tests/consumers/samples/readme.slow.test.ts',
  'contract-tests/consumers/samples/samples.test.ts',
  'contract-tests/consumers/other-server.slow.test.ts',
  'server/admin/cli/serve.test.ts',
  'contract-tests/schemathesis-runner-wrapper/run.slow.test.ts',
  'contract-tests/foreign/suite.slow.test.ts',
  'server/verification/end-to-end/topologies.slow.test.ts',
  'contract-tests/parts/workflows/workflows.test.ts',
  'client/toolbox/packed.slow.test.ts',
  'client/toolbox/check/report.test.ts',
]

/** Test files that share their process and need no PostgreSQL: run alone, they start at once. */
export const PURE_TESTS: readonly string[] = [
  'client/!(browser|options|wrong-base-url).test.ts',
  'client/toolbox/check/*.test.ts',
  'openapi/*.test.ts',
  'openapi/{client,docs,reading,release}/**/*.test.ts',
  'openapi/operators/*.test.ts',
  'server/!(master-key).test.ts',
  'server/domain/*.test.ts',
  'server/http/!(key-checks|pages|security).test.ts',
  'server/http/handlers/*.test.ts',
  'server/message-spool/*.test.ts',
]
