// The JSON Schema 2020-12 of scenarios: served at GET /simulator/scenarios/schema, and every scenario of a list is
// validated against it before any is accepted.

export const TIMES_MAX = 1_000_000

const whole = (minimum: number, description: string) => ({ type: 'integer', minimum, maximum: 86_400_000, description })
const when = {
  enum: ['before', 'after'],
  description:
    'Before or after the operator processes the request: after it, an order is in the book. `before` if absent.',
}
const set = {
  type: 'object',
  description: 'A JSON merge patch on the body: `null` removes a field.',
}
const status = { type: 'integer', minimum: 200, maximum: 599 }
const text = { type: 'string', minLength: 1 }
const amount = { type: 'string', pattern: '^\\d+(\\.\\d{1,4})?$', description: 'A decimal number in main units.' }
const method = { enum: ['PUT', 'POST'] }

const effectOf = (name: string, description: string, properties: object = {}, required: readonly string[] = []) => ({
  type: 'object',
  description,
  required: ['do', ...required],
  properties: { do: { const: name }, ...properties },
  additionalProperties: false,
})

/** Each effect of a scenario, by the value of `do`. */
export const EFFECTS = [
  effectOf('refuse', 'Refuses with a code of the operator.', { code: text, status, message: text }, ['code']),
  effectOf('unauthorized', 'Refuses the token or the key as invalid, whatever it is.'),
  effectOf('hang', 'Accepts the request and never replies.', { when }),
  effectOf('close', 'Closes the connection without a reply.', { when }),
  effectOf('empty', 'Replies without a body.', { when, status }),
  effectOf('html', 'Replies with an HTML page, 502 if `status` is absent.', { when, status }),
  effectOf('answer', 'Replies with exactly this.', { when, status, content_type: text, body: {} }, ['status']),
  effectOf('truncate', 'Ends the connection in the middle of the body.', {
    bytes: whole(0, 'How much of the body is sent; half of it if absent.'),
  }),
  effectOf('drip', 'Sends the body byte by byte.', { ms_per_byte: whole(1, 'Of real time.') }, ['ms_per_byte']),
  effectOf('delay', 'Processes the request at once and replies late.', { ms: whole(1, 'Of real time.') }, ['ms']),
  effectOf('lie', 'Changes a correct reply.', { set }, ['set']),
  effectOf(
    'settle',
    'Gives the order its verdict, without the phone.',
    {
      as: { enum: ['succeeded', 'failed'] },
      code: { ...text, description: 'Of the failure.' },
      after_ms: whole(0, 'By the clock of the simulator.'),
    },
    ['as'],
  ),
  effectOf('stay', 'Never gives the order an automatic verdict; the phone still can.'),
  effectOf('pay_after_all', 'Money moves for an order that has failed, and the operator reports it.', {
    after_ms: whole(0, 'After the failure, by the clock.'),
    untold: { type: 'boolean', description: 'No callback reports it: only queries and the statement show it.' },
  }),
  effectOf(
    'lag',
    'Queries report the order as pending for this long after its verdict.',
    { ms: whole(1, 'By the clock.') },
    ['ms'],
  ),
  effectOf('callback', 'How the verdict is reported.', {
    times: { type: 'integer', minimum: 0, maximum: 100, description: '1 if absent; 0: never.' },
    every_ms: whole(1, 'Between two callbacks, by the clock.'),
    after_ms: whole(0, 'After the verdict, by the clock.'),
    method,
    before_reply: {
      type: 'boolean',
      description: 'The verdict exists at once, and is reported before the reply to the order.',
    },
    set,
  }),
  effectOf(
    'forge',
    'Sends a forged callback, whatever becomes of the order.',
    { set, after_ms: whole(0, 'By the clock.'), method },
    ['set'],
  ),
  effectOf(
    'plant',
    'Makes the statement differ from the real movement.',
    {
      difference: { enum: ['missing', 'doubled', 'amount', 'fee', 'late'] },
      value: { ...amount, description: 'The wrong amount or fee; the right one plus one if absent.' },
      late_ms: whole(1, 'How much later it is booked; a day if absent.'),
    },
    ['difference'],
  ),
  effectOf('quirk', 'A behaviour of this operator only.', { name: text, value: {} }, ['name']),
] as const

const SCENARIO_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Scenario',
  type: 'object',
  required: ['effect'],
  properties: {
    on: {
      type: 'object',
      description: 'Which calls; all of them if absent.',
      properties: {
        operation: { ...text, description: 'An `operationId` of the contract.' },
        msisdn: { type: 'string', pattern: '^\\d{6,15}$', description: 'The number of the customer in the request.' },
      },
      additionalProperties: false,
    },
    skip: whole(0, 'Calls that pass before the first one.'),
    times: {
      anyOf: [{ type: 'integer', minimum: 1, maximum: TIMES_MAX }, { const: 'always' }],
      description: 'For how many calls; 1 if absent.',
    },
    effect: {
      type: 'object',
      required: ['do'],
      properties: { do: { enum: EFFECTS.map(({ properties }) => properties.do.const) } },
      discriminator: { propertyName: 'do' },
      oneOf: EFFECTS,
    },
  },
  additionalProperties: false,
} as const

export const SCENARIOS_SCHEMA = {
  type: 'object',
  required: ['scenarios'],
  properties: { scenarios: { type: 'array', items: SCENARIO_SCHEMA, minItems: 1, maxItems: 1_000 } },
  additionalProperties: false,
} as const
