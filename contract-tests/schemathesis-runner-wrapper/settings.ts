import { PHASES, type Phase, type Profile } from './options.ts'
import type { Scheme } from './schemes.ts'

/** Every check of the pinned version that a plain run applies. A test compares it with the version's own list. */
export const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'positive_data_acceptance',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'use_after_free',
  'ensure_resource_availability',
  'ignored_auth',
  'object_level_authorization',
] as const

/** Statuses that the tool itself accepts for a valid request. */
const POSITIVE_STATUSES = ['2xx', '3xx', '401', '403', '404', '409', '429', '5xx']

interface Settings {
  readonly seed: number
  readonly maxExamples: number
  readonly statefulExamplesMax: number
  readonly requestTimeoutMs: number
  /** Absent: all. */
  readonly phases?: readonly Phase[]
  readonly failuresMax?: number
  /** Security schemes that get their value from the environment. */
  readonly schemes: readonly Scheme[]
  /** 400 is judged by the runner: see Profile.isBusinessRefusal. */
  readonly judgesBadRequests: boolean
  /** See Profile.expectedStatuses. */
  readonly expectedStatuses?: Profile['expectedStatuses']
}

/** The environment variable with the key of a security scheme: for servers, Schemathesis and curl lines. */
export const keyVariable = (scheme: string): string =>
  `SCHEMATHESIS_KEY_${scheme.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()}`

/** `user:password` comes in two variables. */
const authOf = (kind: Scheme['kind'], variable: string): string =>
  kind === 'basic'
    ? `username = "\${${variable}_USER}", password = "\${${variable}_PASSWORD}"`
    : `${kind} = "\${${variable}}"`

/** The phases that a run leaves out. */
export const excludedPhases = (phases: readonly Phase[] = PHASES): readonly Phase[] =>
  PHASES.filter((phase) => !phases.includes(phase))

/** The schemathesis.toml of a run, without keys. One worker, a fixed seed, no database: runs are reproducible. */
export function settingsFile({
  seed,
  maxExamples,
  statefulExamplesMax,
  requestTimeoutMs,
  failuresMax,
  phases,
  schemes,
  judgesBadRequests,
  expectedStatuses = {},
}: Settings): string {
  const auth = schemes.map(({ name, kind }) => `${JSON.stringify(name)} = { ${authOf(kind, keyVariable(name))} }`)
  return [
    `seed = ${seed}`,
    'workers = 1',
    'hooks = "runner_hooks"',
    ...(failuresMax === undefined ? ['continue-on-failure = true'] : [`max-failures = ${failuresMax}`]),
    `request-timeout = ${requestTimeoutMs / 1000}`,
    '[cache]',
    'enabled = false',
    '[generation]',
    `max-examples = ${maxExamples}`,
    'database = "none"',
    '[phases.stateful.generation]',
    `max-examples = ${statefulExamplesMax}`,
    ...excludedPhases(phases).flatMap((phase) => [`[phases.${phase}]`, 'enabled = false']),
    // Unmasked, because a masked request cannot be repeated; the runner redacts what is kept.
    '[output.sanitization]',
    'enabled = false',
    ...(judgesBadRequests
      ? ['[checks.positive_data_acceptance]', `expected-statuses = ${JSON.stringify(['400', ...POSITIVE_STATUSES])}`]
      : []),
    ...Object.entries(expectedStatuses).flatMap(([check, statuses]) => [
      `[checks.${check}]`,
      `expected-statuses = ${JSON.stringify(statuses)}`,
    ]),
    ...(auth.length > 0 ? ['[auth.openapi]', ...auth] : []),
    '',
  ].join('\n')
}
