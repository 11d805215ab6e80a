/**
 * Test files that change something in their process, or leave something that others would meet: each has a process of
 * its own. All others share one: a new process costs a third of a second, and loading the gateway's modules a whole
 * one.
 */
export const ALONE_TESTS: readonly string[] = [
  'client/{options,replay,retries}.test.ts',
  'client/recipes/recipes.test.ts',
  'contract-tests/consumers/samples/receivers.test.ts',
  'server/callbacks/{handshake,sender,sender-tls}.test.ts',
  'server/admin/cli/explain.test.ts',
  'server/verification/end-to-end/{large-bodies,rsa-key-rotation,traces}.test.ts',
  'server/message-spool/{message-spool,reception}.test.ts',
  'server/outbound/{outbound-guard,private-networks,resolve-names}.test.ts',
  'server/progress.test.ts',
  'server/start/outages.test.ts',
  'server/storage/{database-client,pool,shared-clock}.test.ts',
  'server/tracing/spans.test.ts',
  'server/verification/testing/shared-tests.test.ts',
]

/** The longest first: otherwise one that starts late keeps a worker waiting that has nothing else to do. */
export const LONG_TESTS: readonly string[] = [
  'contract-tests/suite.pull-request.test.ts',
  'server/rails/conformance/adapters.test.ts',
  'contract-tests/consumers/samples/samples.test.ts',
  'contract-tests/cli.test.ts',
  'server/admin/cli/serve.test.ts',
  'contract-tests/consumers/samples/pages.test.ts',
  'server/admin/queries/doctor.test.ts',
  'contract-tests/parts/model/model.test.ts',
  'contract-tests/parts/workflows/workflows.test.ts',
  'client/toolbox/check/report.test.ts',
  'server/admin/console/pages.slow.test.ts',
  'server/rails/conformance/adapters.slow.test.ts',
  'openapi/docs/browser.slow.test.ts',
  'server/admin/console/tasks.slow.test.ts',
  'server/payment-page/browser.slow.test.ts',
  'server/admin/sign-in/browser.slow.test.ts',
  'server/verification/end-to-end/gateway-browser.slow.test.ts',
  'server/verification/chaos/chaos.slow.test.ts',
  'server/admin/console/look/browser.slow.test.ts',
  'contract-tests/foreign/admin-api.slow.test.ts',
  'contract-tests/consumers/other-server.slow.test.ts',
  'server/verification/end-to-end/resilience.slow.test.ts',
  'contract-tests/consumers/samples/readme.slow.test.ts',
  'server/installation.slow.test.ts',
]

/** Test files that share their process and need no PostgreSQL: run alone, they start at once. */
export const PURE_TESTS: readonly string[] = [
  'client/!(options|wrong-base-url).test.ts',
  'client/toolbox/check/*.test.ts',
  'contract-tests/foreign/admin-mock.test.ts',
  'openapi/*.test.ts',
  'openapi/{client,docs,reading,release}/**/*.test.ts',
  'openapi/operators/*.test.ts',
  'server/!(master-key).test.ts',
  'server/domain/*.test.ts',
  'server/http/!(early-refusals|key-checks|pages|security).test.ts',
  'server/http/handlers/*.test.ts',
  'server/message-spool/*.test.ts',
]
