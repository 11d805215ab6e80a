import { passOn, type ProxyOptions, type WireRequest } from '../../../harness/proxy.ts'
import {
  accepts,
  data,
  fieldsOf,
  header,
  isOne,
  messageOf,
  PAYMENTS,
  refusal,
  replies,
  VERIFY,
  withBody,
  withFields,
  withHeader,
} from '../../../strength/faults/edit.ts'
import type { Section } from '../inputs.ts'

type Hooks = Pick<ProxyOptions, 'onRequest' | 'onReply'>
interface PlantContext {
  readonly url: string
  readonly publicKey: string
}
type PlantHooks = (gateway: PlantContext) => Hooks
const send = (gateway: PlantContext, request: WireRequest) => passOn(new URL(gateway.url), request)

const refuses =
  (message: string, when: (body: string) => boolean): PlantHooks =>
  () => ({ onReply: (reply, { body }) => (when(body.toString()) ? refusal(reply, 400, message) : reply) })

const keyFromQuery: PlantHooks = () => ({
  onRequest: (request) => {
    const key = new URLSearchParams(request.path.split('?')[1]).get('public-key')
    const known = header(request, 'public-key')
    return known === undefined && key !== null ? withHeader(request, 'public-key', key) : request
  },
})
const lastOfTwoKeys: PlantHooks = () => ({
  onRequest: (request) => {
    const last = request.headers['secret-key']?.at(-1)?.split(', ').at(-1)
    return last === undefined ? request : withHeader(request, 'secret-key', last)
  },
})
const composes: PlantHooks = () => ({
  ...replies(VERIFY, 200, (reply) =>
    withFields(
      reply,
      data((record) => ({ ...record, customer_name: String(record['customer_name']).normalize('NFC') })),
    ),
  ).api,
})
const anyCase: PlantHooks = () => ({
  onRequest: (request) =>
    isOne(VERIFY, request)
      ? { ...request, path: request.path.replace(/[^/]*$/, (name) => name.toUpperCase()) }
      : request,
})
/** Reports a fault of the body before it checks the keys. */
const keysLast: PlantHooks = (gateway) => ({
  onReply: async (reply, request) => {
    if (reply.status !== 401) return reply
    const known = await send(gateway, withHeader(request, 'public-key', gateway.publicKey))
    return known.status >= 400 ? known : reply
  },
})
/** Counts bytes instead of characters. */
const countsUnits: PlantHooks = () => ({
  onReply: (reply, request) => {
    const { description } = fieldsOf(request) ?? {}
    return typeof description === 'string' && description.length > 30
      ? refusal(reply, 400, 'description must have 10 to 30 characters')
      : reply
  },
})
const cutsCodes: PlantHooks = () => ({
  onReply: (reply) =>
    messageOf(reply).startsWith('Invalid bank code')
      ? withBody(reply, JSON.stringify({ ...fieldsOf(reply), message: messageOf(reply).slice(0, 40) }))
      : reply,
})
const wrongBeforeMissing: PlantHooks = (gateway) => ({
  onReply: async (reply, request) => {
    if (messageOf(reply) !== 'provider_code is required') return reply
    const reported = await send(
      gateway,
      withFields(request, (body) => ({ ...body, provider_code: 'mtn_ug' })),
    )
    return reported.status === 400 ? reported : reply
  },
})
const lenientJson: PlantHooks = (gateway) => ({
  ...accepts({ send: (request) => send(gateway, request) }, PAYMENTS, /is not valid JSON/, (request) =>
    withBody(request, request.body.toString().replace(/,\}$/, '}')),
  ).api,
})

type ExpectedFinding = readonly [about: string, what: string]

/** Wrong servers, the section that tests them, and the exact findings. */
export const PLANTED: readonly (readonly [string, Section, PlantHooks, readonly ExpectedFinding[]])[] = [
  ['a public-key from the query', 'keys', keyFromQuery, [['public-key', 'in the query, and none in its header']]],
  [
    'the last of two secret keys',
    'keys',
    lastOfTwoKeys,
    [['secret-key', 'one right secret-key and one wrong were answered 20']],
  ],
  ['names that are composed', 'names', composes, [['verifyTransaction', 'a name (combining marks) was sent as']]],
  [
    'references found in any case',
    'references',
    anyCase,
    [
      ['verifyTransaction', 'merchant_reference: not found unchanged'],
      ['verifyTransaction', 'merchant_reference: found in another case'],
    ],
  ],
  [
    'keys that are checked last',
    'order',
    keysLast,
    [
      ['initializeCollection', 'order of checks: a wrong public-key: 401'],
      ['sendFunds', 'order of checks: a wrong public-key: 401'],
    ],
  ],
  [
    'lengths in UTF-16',
    'lengths',
    countsUnits,
    [['sendFunds', 'description: a text of the largest length is refused']],
  ],
  [
    'codes that are cut',
    'characters',
    cutsCodes,
    [['sendFunds', 'bank_code: an unknown one is not named as it was sent']],
  ],
  [
    'wrong fields before missing ones',
    'fieldOrder',
    wrongBeforeMissing,
    [
      ['initializeCollection', 'order of missing fields'],
      ['initializeCollection', 'missing before wrong'],
      ['sendFunds', 'order of missing fields'],
      ['sendFunds', 'missing before wrong'],
    ],
  ],
  ['a comma too many in JSON', 'json', lenientJson, [['sendFunds', 'JSON: a comma too many: is accepted']]],
  [
    'numbers without exponents',
    'numbers',
    refuses('amount must be a number', (body) => /"amount":[\d.]+e/i.test(body)),
    [
      ['initializeCollection', 'amount: a way to write it in JSON is refused'],
      ['initializeCollection', 'amount: what must be refused with "amount must be between'],
      ['initializeCollection', 'amount: what must be refused with "^amount must have at most'],
      ['initializeCollection', 'amount: what must be refused with "The request body is not valid JSON'],
      ['sendFunds', 'amount: a way to write it in JSON is refused'],
    ],
  ],
  [
    'a prefix that is listed and refused',
    'prefixes',
    refuses('no such number', (body) => /"\+?25639\d{7}"/.test(body)),
    [
      ['sendFunds', 'mtn_ug: a listed prefix is refused'],
      ['initializeCollection', 'mtn_ug: a listed prefix is refused'],
    ],
  ],
  [
    'media types in small letters only',
    'headers',
    () => ({
      onReply: (reply, request) =>
        /[A-Z]/.test(header(request, 'content-type')?.replace(/;.*/, '') ?? '')
          ? refusal(reply, 415, 'Content-Type must be application/json')
          : reply,
    }),
    [['initializeCollection', 'Content-Type: a way to write it is refused']],
  ],
]
