export { runSchemathesis } from './run.ts'
export { canonical, fuzz, keys } from './profiles.ts'
export { exitCode, summary } from './print.ts'
export { junitXml } from './junit.ts'
export { startCommand } from './server.ts'
export { CHECKS, keyVariable } from './settings.ts'
export { ConfigError } from './types.ts'
export type {
  CheckFigures,
  Exclusions,
  Failure,
  FreshValue,
  Keys,
  OperationFigures,
  Prepare,
  Profile,
  Result,
  RunOptions,
  Running,
  Start,
  Status,
} from './types.ts'
export type { Content, Example, Link, OpenApiDocument, Operation, Parameter, Response, Schema } from './openapi.ts'
