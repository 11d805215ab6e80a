import { fieldAt, textOf } from '../foreign-fields.ts'
import { askingAt, unusedId, type Probe, type ProbedFact, type ProbeList, type ProbeReply } from '../probe.ts'
import type { DarajaConnection } from './connected.ts'
import { pullTimeOf } from './nairobi-time.ts'
import type { DarajaRailAccount } from './rail-account.ts'
import { passwordAt } from './stk-push.ts'

const HOUR_MS = 3_600_000

/** Reads only: prompts and payments are never made, for Safaricom's sandbox may move real money. */
export function probesOf({ railAccount, world }: DarajaConnection): ProbeList {
  const { baseUrl, consumerKey, consumerSecret, shortCode, hasPull } = railAccount
  const ask = askingAt(world, baseUrl)
  const now = world.clock.now()
  const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`
  let token = ''
  const post: Post = (path, body, by = token) => ask('POST', path, { authorization: `Bearer ${by}` }, body)
  const ofToken: Probe = {
    what: 'a token',
    statuses: [200],
    facts: [LIFETIME],
    async ask() {
      const reply = await ask('GET', '/oauth/v1/generate?grant_type=client_credentials', { authorization })
      token = textOf(fieldAt(reply.said, 'access_token')) ?? ''
      return reply
    },
  }
  const period = { StartDate: pullTimeOf(new Date(now.getTime() - HOUR_MS)), EndDate: pullTimeOf(now) }
  const ofPull: Probe = {
    what: 'the payments of the last hour',
    statuses: [200],
    facts: [LISTED],
    ask: () => post('/pulltransactions/v1/query', { ShortCode: shortCode, ...period, OffSetValue: '0' }),
  }
  return {
    probes: [ofToken, ...ofPrompts(railAccount, post, now), ...(hasPull ? [ofPull] : [])],
    codeIn: errorCodeIn,
  }
}

/** With the token of the first probe unless it names another. */
type Post = (path: string, body: object, by?: string) => Promise<ProbeReply>

function ofPrompts({ collections, shortCode }: DarajaRailAccount, post: Post, now: Date): readonly Probe[] {
  if (!collections) return []
  const incomplete = passwordAt(shortCode, collections, now)
  const query = { ...incomplete, CheckoutRequestID: `ws_CO_${unusedId(now, 'prompt').slice(0, 20)}` }
  const path = '/mpesa/stkpushquery/v1/query'
  return [
    {
      what: 'a prompt with a token that was never given',
      statuses: [400, 401, 404],
      facts: [WRONG_TOKEN],
      ask: () => post(path, query, unusedId(now, 'token')),
    },
    { what: 'a prompt that nobody sent', statuses: [200, 400, 500], facts: [NO_RESULT], ask: () => post(path, query) },
    {
      what: 'a prompt without its CheckoutRequestID',
      statuses: [400],
      facts: [INVALID_FIELD],
      ask: () => post(path, incomplete),
    },
  ]
}

const errorCodeIn = (said: unknown): string | undefined => textOf(fieldAt(said, 'errorCode'))

const LIFETIME: ProbedFact = {
  fact: 'A token lives 3599 seconds; the lifetime comes as a text or a number.',
  otherwise({ said }) {
    const lifetime = fieldAt(said, 'expires_in')
    return textOf(lifetime) === '3599' ? undefined : `expires_in is ${Number(lifetime)}`
  },
}

const isCode =
  (...codes: readonly string[]) =>
  ({ said }: ProbeReply): string | undefined =>
    codes.includes(errorCodeIn(said) ?? '') ? undefined : `the code is not ${codes.join(' or ')}`

const WRONG_TOKEN: ProbedFact = {
  fact: 'An expired or wrong token is answered with HTTP 404 and 404.001.03; some calls answer 401.002.01 or 400.003.01.',
  otherwise: isCode('404.001.03', '401.002.01', '400.003.01'),
}

const INVALID_FIELD: ProbedFact = {
  fact: 'A field that is missing or invalid is refused with HTTP 400 and 400.002.02.',
  otherwise: isCode('400.002.02'),
}

/** What an unknown prompt gets is not known; a result would be one of another prompt. */
const NO_RESULT: ProbedFact = {
  fact: 'A query for a prompt that nobody sent has no result.',
  otherwise({ said }) {
    const code = textOf(fieldAt(said, 'ResultCode'))
    return code === undefined || code === '4999' ? undefined : 'it has a result'
  },
}

const LISTED: ProbedFact = {
  fact: 'The pull query reaches back 48 hours.',
  otherwise: ({ status }) => (status === 200 ? undefined : `HTTP ${status}`),
}
