// What a scenario may say, as JSON Schema 2020-12: shown at GET /simulator/scenarios/schema, and what every scenario is
// held to before one of a list is taken.

export const TIMES_MAX = 1_000_000

const whole = (minimum: number, description: string) => ({ type: 'integer', minimum, maximum: 86_400_000, description })
const when = {
  enum: ['before', 'after'],
  description:
    'Before the operator has acted on the request, or after it: then an order is in the book. `before` if absent.',
}
const set = {
  type: 'object',
  description: 'A JSON merge patch on the body: `null` takes a field away.',
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

/** Each thing that a scenario can do, by the value of `do`. */
export const EFFECTS = [
  effectOf('refuse', 'Refuses with a code of the operator.', { code: text, status, message: text }, ['code']),
  effectOf('unauthorized', 'Says that the token or the key is not good, whatever it is.'),
  effectOf('hang', 'Takes the request and never answers.', { when }),
  effectOf('close', 'Closes the connection without an answer.', { when }),
  effectOf('empty', 'Answers with no body.', { when, status }),
  effectOf('html', 'Answers with a page of HTML, 502 unless told otherwise.', { when, status }),
  effectOf('answer', 'Answers with exactly this.', { when, status, content_type: text, body: {} }, ['status']),
  effectOf('truncate', 'Ends the connection in the middle of the body.', {
    bytes: whole(0, 'How much of the body is sent; half of it if absent.'),
  }),
  effectOf('drip', 'Sends the body byte by byte.', { ms_per_byte: whole(1, 'Of real time.') }, ['ms_per_byte']),
  effectOf('delay', 'Acts at once and answers late.', { ms: whole(1, 'Of real time.') }, ['ms']),
  effectOf('lie', 'Changes what a good answer says.', { set }, ['set']),
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
  effectOf('stay', 'Never gives the order a verdict by itself; the phone still can.'),
  effectOf('pay_after_all', 'Money moves for an order that has failed, and the operator says so.', {
    after_ms: whole(0, 'After the failure, by the clock.'),
    untold: { type: 'boolean', description: 'No callback comes for it: only queries and the statement tell.' },
  }),
  effectOf(
    'lag',
    'Queries go on saying that the order waits, so long after its verdict.',
    { ms: whole(1, 'By the clock.') },
    ['ms'],
  ),
  effectOf('callback', 'How the verdict is told.', {
    times: { type: 'integer', minimum: 0, maximum: 100, description: '1 if absent; 0: not at all.' },
    every_ms: whole(1, 'Between two of them, by the clock.'),
    after_ms: whole(0, 'After the verdict, by the clock.'),
    method,
    before_reply: {
      type: 'boolean',
      description: 'The verdict is there at once, and told before the order is answered.',
    },
    set,
  }),
  effectOf(
    'forge',
    'Sends a callback that nobody has sent, whatever becomes of the order.',
    { set, after_ms: whole(0, 'By the clock.'), method },
    ['set'],
  ),
  effectOf(
    'plant',
    'Makes the statement differ from what happened.',
    {
      difference: { enum: ['missing', 'doubled', 'amount', 'fee', 'late'] },
      value: { ...amount, description: 'The wrong amount or fee; one more than the right one if absent.' },
      late_ms: whole(1, 'How much later it is booked; a day if absent.'),
    },
    ['difference'],
  ),
  effectOf('quirk', 'Something that only this operator does.', { name: text, value: {} }, ['name']),
] as const

export const SCENARIO_SCHEMA = {
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
    skip: whole(0, 'So many calls pass before the first.'),
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
