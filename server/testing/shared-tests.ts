/**
 * Test files that change something of their process, or keep what others would meet: each has one of its own. All
 * others share a process with their like: a new one costs a third of a second, and the gateway's modules a whole one.
 */
export const ALONE_TESTS: readonly string[] = [
  'client/{browser,options}.test.ts',
  'client/recipes/recipes.test.ts',
  'client/toolbox/{next-shop,sandbox}.test.ts',
  'contract-tests/consumers/samples/{docs-browser,receivers}.test.ts',
  'openapi/operators/simulator/pages/browser.test.ts',
  'server/callbacks/sender-tls.test.ts',
  'server/cli/explain.test.ts',
  'server/embedded-postgres/{first-start,gateway-role,guest,owner,refusals,users}.test.ts',
  'server/end-to-end/{gateway-browser,rsa-key-rotation}.test.ts',
  'server/message-spool/message-spool.test.ts',
  'server/outbound/{outbound-guard,private-networks,resolve-names}.test.ts',
  'server/payment-page/browser.test.ts',
  'server/progress.test.ts',
  'server/sandbox/inbox-readers.test.ts',
  'server/start/outages.test.ts',
  'server/storage/shared-clock.test.ts',
  'server/testing/shared-tests.test.ts',
]

/** The longest first: one that begins late is waited for by a worker that has nothing else to do. */
export const LONG_TESTS: readonly string[] = [
  'contract-tests/suite.pull-request.test.ts',
  'server/rails/conformance/adapters.test.ts',
  'server/end-to-end/resilience.test.ts',
  'server/end-to-end/stalled-database.test.ts',
  'contract-tests/consumers/samples/readme.test.ts',
  'contract-tests/consumers/samples/samples.test.ts',
  'contract-tests/consumers/other-server.test.ts',
  'server/cli/serve.test.ts',
  'contract-tests/schemathesis-runner-wrapper/run.test.ts',
  'contract-tests/foreign/suite.test.ts',
  'server/end-to-end/topologies.test.ts',
  'contract-tests/parts/workflows/workflows.test.ts',
  'client/toolbox/packed.test.ts',
  'client/toolbox/check/report.test.ts',
]

/** Test files that share their process and need no PostgreSQL: alone they start at once. */
export const PURE_TESTS: readonly string[] = [
  'client/!(browser|options|wrong-base-url).test.ts',
  'client/toolbox/check/*.test.ts',
  'openapi/*.test.ts',
  'openapi/{client,docs,reading,release}/**/*.test.ts',
  'openapi/operators/*.test.ts',
  'server/*.test.ts',
  'server/domain/*.test.ts',
  'server/http/!(docs-pages|key-checks|pages|security).test.ts',
  'server/http/handlers/*.test.ts',
  'server/message-spool/*.test.ts',
]
