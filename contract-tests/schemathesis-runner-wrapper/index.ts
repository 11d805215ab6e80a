export { runSchemathesis } from './run.ts'
export { canonical, fuzz, keys } from './profiles.ts'
export { oauthClientCredentials, type ClientCredentials } from './oauth.ts'
export { exitCode, summary } from './print.ts'
export { junitXml } from './junit.ts'
export { sarifLog } from './sarif.ts'
export { startCommand } from './server.ts'
export { CHECKS, keyVariable } from './settings.ts'
export { ConfigError, PHASES } from './options.ts'
export type {
  BeforeRequest,
  Environment,
  ExpiringKey,
  FilterKind,
  FreshValue,
  Keys,
  KeySource,
  OperationFilter,
  OutgoingRequest,
  Phase,
  Prepare,
  Profile,
  RunOptions,
  RunningServer as Running,
  Start,
} from './options.ts'
export type {
  CheckFigures,
  Exclusions,
  Failure,
  FailureRequest,
  FailureResponse,
  OperationFigures,
  Result,
  Status,
} from './types.ts'
export type { Content, Example, Link, OpenApiDocument, Operation, Parameter, Response, Schema } from './openapi.ts'
