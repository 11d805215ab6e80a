/**
 * Test files that share their process with others like them: a new one for each costs a third of a second, which is
 * more than most of them take. They need no PostgreSQL, so none is started for them, and change nothing of the process
 * that others would meet.
 */
export const SHARED_TESTS: readonly string[] = [
  'client/!(browser|options|wrong-base-url).test.ts',
  'client/toolbox/check/*.test.ts',
  'openapi/*.test.ts',
  'openapi/{client,docs,reading,release}/**/*.test.ts',
  'openapi/operators/*.test.ts',
  'server/*.test.ts',
  'server/domain/*.test.ts',
  'server/http/!(pages).test.ts',
  'server/http/handlers/*.test.ts',
]
