import { expect, test } from 'vitest'
import type { OpenApiDocument } from './openapi.ts'
import { readReport } from './report.ts'

const base64 = (value: unknown) => ({ $base64: Buffer.from(JSON.stringify(value)).toString('base64') })
const REJECTED = 'Valid data should have been accepted\nExpected: 2xx, 3xx'

interface CaseOptions {
  readonly body: unknown
  readonly status: number
  readonly reply: unknown
  /** Checks that fail, with their sentence. */
  readonly failing?: Readonly<Record<string, string>>
}

/** The report of Schemathesis on requests to one operation. */
function reportOf(cases: readonly CaseOptions[], label = 'POST /things'): string {
  const ids = cases.map((each, index) => [`c${index}`, each] as const)
  const of = <Value>(valueOf: (each: CaseOptions, id: string) => Value) =>
    Object.fromEntries(ids.map(([id, each]) => [id, valueOf(each, id)]))
  const recorder = {
    label,
    cases: of(() => ({ value: { method: 'POST', path: '/things', meta: { generation: { mode: 'positive' } } } })),
    interactions: of(({ body, status, reply }) => ({
      request: { method: 'POST', uri: 'http://127.0.0.1:1/things', headers: {}, body: base64(body) },
      response: { status_code: status, headers: {}, content: base64(reply) },
    })),
    checks: of(({ failing = {} }) => [
      ...(failing['positive_data_acceptance'] ? [] : [{ name: 'positive_data_acceptance', status: 'success' }]),
      ...Object.entries(failing).map(([name, message]) => ({
        name,
        status: 'failure',
        failure_info: { failure: { type: 'Failure', title: `Fails ${name}`, message } },
      })),
    ]),
  }
  return JSON.stringify({ ScenarioFinished: { phase: 'fuzzing', recorder } })
}

const contract: OpenApiDocument = {
  openapi: '3.1.0',
  paths: {
    '/things': {
      post: {
        requestBody: {
          content: { 'application/json': { schema: { properties: { name: {}, colour: {}, size: {}, note: {} } } } },
        },
      },
    },
  },
}
const failuresOf = (cases: readonly CaseOptions[], isBusinessRefusal?: (reply: string) => boolean) =>
  readReport(reportOf(cases), {
    baseUrl: 'http://127.0.0.1:1',
    keys: [],
    isBusinessRefusal,
    phases: undefined,
    contract,
  }).failures

const refused = (body: unknown, reply: unknown, status = 422): CaseOptions => ({
  body,
  reply,
  status,
  failing: { positive_data_acceptance: REJECTED },
})
const accepted = (body: unknown): CaseOptions => ({ body, status: 201, reply: {} })

const TITLE = 'Schema-valid request rejected'
test.each<[string, readonly CaseOptions[], readonly (readonly [title: string, message: string, field?: string])[]]>([
  [
    'names each refused field once',
    [
      refused({ name: 'a', colour: 'blue' }, { message: 'colour is unknown' }),
      refused({ name: 'b', colour: 'green' }, { message: 'colour is unknown' }),
      refused({ name: 'c-c' }, { message: 'The name is wrong' }),
    ],
    [
      [`${TITLE}: colour`, 'allows "blue" for colour. The reply was 422: {"message":"colour is unknown"}', 'colour'],
      [`${TITLE}: name`, 'allows "c-c" for name. The reply was 422: {"message":"The name is wrong"}', 'name'],
    ],
  ],
  [
    'names the one field that no accepted request has',
    [
      accepted({ name: 'a', colour: 'blue' }),
      refused({ name: 'a', size: 4 }, { error: 'no' }),
      accepted({ name: 'b' }),
    ],
    [
      [
        `${TITLE}: size`,
        'allows size, and no request that has it was accepted. The reply was 422: {"error":"no"}',
        'size',
      ],
    ],
  ],
  [
    'has one failure for each status where nothing is known',
    [
      refused({ name: 'a' }, { error: 'no' }),
      refused({ name: 'b' }, { error: 'never' }),
      refused({ name: 'c' }, { error: 'no' }, 400),
    ],
    [
      [TITLE, 'allows this request, and the reply names none of its fields. The reply was 422: {"error":"no"}'],
      [TITLE, 'allows this request, and the reply names none of its fields. The reply was 400: {"error":"no"}'],
    ],
  ],
])('a rejected valid request %s', (_what, cases, expected) =>
  expect(failuresOf(cases).map(({ title, message, field }) => [title, message, field])).toEqual(
    expected.map(([title, message, field]) => [title, `The contract ${message}`, field]),
  ),
)

test('of refusals by 400 the runner judges which are of a business rule', () => {
  const cases = [
    { body: { name: 'a' }, status: 400, reply: { message: 'no more today' } },
    { body: { name: 'b' }, status: 400, reply: { message: 'name is wrong' } },
  ]
  expect(failuresOf(cases, (reply) => reply.includes('today')).map(({ field }) => field)).toEqual(['name'])
  expect(failuresOf(cases)).toEqual([])
})

test("a failing server's undeclared status and form are one failure with it", () => {
  const failing = {
    not_a_server_error: 'Server error',
    status_code_conformance: 'Received: 500',
    response_schema_conformance: 'x',
  }
  const form = { response_schema_conformance: 'Schema at /name' }
  const failures = failuresOf([
    { body: { name: 'a' }, status: 500, reply: {}, failing },
    { body: { name: 'b' }, status: 201, reply: {}, failing: form },
  ])
  expect(failures.map(({ check, message }) => [check, message])).toEqual([
    ['not_a_server_error', 'Server error\nThe reply also fails status_code_conformance, response_schema_conformance'],
    ['response_schema_conformance', 'Schema at /name'],
  ])
})
