import { fieldAt, textOf } from '../foreign-fields.ts'
import { askingAt, unusedId, type Probe, type ProbedFact, type ProbeList, type ProbeReply } from '../probe.ts'
import { codeIn } from './calls.ts'
import { publicKeyIn } from './encryption.ts'
import { nationalNumber, type AirtelConnection } from './orders.ts'

const HOUR_MS = 3_600_000

/** Reads only, but for the token. All of it is answered from what Airtel has, so that production may be asked too. */
export function probesOf(connection: AirtelConnection, account: string | undefined): ProbeList {
  const caller = callerOf(connection)
  return { probes: [...ofAccess(caller), ...ofOrders(caller), ...ofAccounts(caller, account)], codeIn }
}

/** Calls with the token of the first probe. */
function callerOf({ settings, world }: AirtelConnection) {
  const { baseUrl, clientId, clientSecret, country, currency } = settings
  const ask = askingAt(world, baseUrl)
  let token = ''
  return {
    settings,
    now: world.clock.now(),
    balancePath:
      settings.balanceVersion === '1' ? '/standard/v1/users/balance' : '/standard/v2/users/balance?type=COLL',
    async newToken() {
      const credentials = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }
      const reply = await ask('POST', '/auth/oauth2/token', {}, credentials)
      token = textOf(fieldAt(reply.said, 'access_token')) ?? ''
      return reply
    },
    get: (path: string, instead: Readonly<Record<string, string>> = {}) =>
      ask('GET', path, { authorization: `Bearer ${token}`, 'X-Country': country, 'X-Currency': currency, ...instead }),
    getWithoutCountry: (path: string) => ask('GET', path, { authorization: `Bearer ${token}` }),
  }
}
type Caller = ReturnType<typeof callerOf>

const ofAccess = ({ newToken, get, getWithoutCountry, balancePath, now, settings }: Caller): readonly Probe[] => [
  { what: 'a token', statuses: [200], facts: [LIFETIME], ask: newToken },
  {
    what: 'the balance with a token that was never given',
    statuses: [401],
    ask: () => get(balancePath, { authorization: `Bearer ${unusedId(now, 'token')}` }),
  },
  {
    what: 'the balance',
    statuses: [200],
    facts: [ONE_TOKEN, balanceIn(settings.currency)],
    ask: () => get(balancePath),
  },
  {
    what: 'the balance without X-Country and X-Currency',
    statuses: [400],
    facts: [WITH_COUNTRY, FRONT],
    ask: () => getWithoutCountry(balancePath),
  },
]

function ofOrders({ get, now, settings: { payouts, signedCalls } }: Caller): readonly Probe[] {
  const collection: Probe = {
    what: 'a collection that nobody ordered',
    statuses: [200, 404],
    facts: [REFUSAL_WITH_200, NO_STATE],
    ask: () => get(`/standard/v1/payments/${unusedId(now, 'collection')}`),
  }
  const payout: Probe | undefined = payouts && {
    what: 'a payout that nobody ordered',
    statuses: [200, 404],
    facts: [ONE_TOKEN, NO_STATE],
    ask: () => get(payoutPath(payouts.version, unusedId(now, 'payout'))),
  }
  const key: Probe = {
    what: 'the encryption key',
    statuses: [200],
    facts: [KEY_BITS],
    ask: () => get('/v1/rsa/encryption-keys'),
  }
  return [collection, ...(payout ? [payout] : []), ...(signedCalls.size > 0 || payouts ? [key] : [])]
}

function ofAccounts({ get, now, settings }: Caller, account: string | undefined): readonly Probe[] {
  const msisdn = account && (settings.holderNumber === 'national' ? nationalNumber(account, settings) : account)
  const name: Probe | undefined =
    msisdn === undefined
      ? undefined
      : {
          what: 'the name of the number',
          statuses: [200],
          facts: [nameOf(msisdn)],
          ask: () => get(`/standard/v1/users/${msisdn}`),
        }
  const [from, to] = [now.getTime() - HOUR_MS, now.getTime()]
  const list: Probe = {
    what: 'the payments of the last hour',
    statuses: [200],
    facts: [ONE_TOKEN],
    ask: () => get(`/merchant/v1/transactions?from=${from}&to=${to}&limit=5&offset=0`),
  }
  return [...(name ? [name] : []), ...(settings.hasList ? [list] : [])]
}

const payoutPath = (version: string, id: string): string =>
  version === '1'
    ? `/standard/v1/disbursements/${id}`
    : `/standard/v${version}/disbursements/${id}${version === '2' ? '?transactionType=B2C' : ''}`

const isEnvelope = ({ said }: ProbeReply): boolean => fieldAt(said, 'status', 'code') !== undefined

const LIFETIME: ProbedFact = {
  fact: 'A token lives 180 seconds, and the lifetime comes as a text.',
  otherwise({ said }) {
    const lifetime = fieldAt(said, 'expires_in')
    return lifetime === '180' ? undefined : `expires_in is the ${typeof lifetime} ${Number(lifetime)}`
  },
}

const ONE_TOKEN: ProbedFact = {
  fact: 'One token serves all products.',
  otherwise: ({ status }) => (status === 401 ? 'the token of the first call was refused' : undefined),
}

const balanceIn = (currency: string): ProbedFact => ({
  fact: 'The balance is a text with decimals, in the currency of the wallet.',
  otherwise({ said }) {
    const [balance, wallet] = ['balance', 'currency'].map((name) => fieldAt(said, 'data', name))
    if (typeof balance !== 'string') return `the balance is a ${typeof balance}`
    if (!/^-?\d+(\.\d+)?$/.test(balance)) return 'the balance is no decimal number'
    return wallet === currency ? undefined : 'the wallet is in another currency'
  },
})

const WITH_COUNTRY: ProbedFact = {
  fact: 'Every call but the token carries X-Country and X-Currency.',
  otherwise: ({ status }) => (status === 200 ? 'it was answered without them' : undefined),
}

const FRONT: ProbedFact = {
  fact: 'The front of the API answers without the envelope, by `status_code` and `status_message`.',
  otherwise: (reply) =>
    isEnvelope(reply) || fieldAt(reply.said, 'status_code') === undefined ? 'it answered in another form' : undefined,
}

const REFUSAL_WITH_200: ProbedFact = {
  fact: 'HTTP 200 with `success` false is a refusal.',
  otherwise({ status, said }) {
    if (status !== 200) return `HTTP ${status}`
    return fieldAt(said, 'status', 'success') === false ? undefined : '`success` is not false'
  },
}

/** What decides is the state: an unknown id must have none. */
const NO_STATE: ProbedFact = {
  fact: 'An id that nobody ordered is answered with a code and without a state.',
  otherwise(reply) {
    if (fieldAt(reply.said, 'data', 'transaction', 'status') !== undefined) return 'it has a state'
    return codeIn(reply.said) === undefined ? 'there is no code' : undefined
  },
}

const KEY_BITS: ProbedFact = {
  fact: 'The encryption key is of 1024 bits, and the key and IV of a signature are encrypted by PKCS#1 v1.5.',
  otherwise({ said }) {
    const key = publicKeyIn(textOf(fieldAt(said, 'data', 'key')) ?? '')
    if (!key) return 'there is no RSA key'
    const bits = key.asymmetricKeyDetails?.modulusLength
    return bits === 1024 ? undefined : `it is of ${bits} bits`
  },
}

const nameOf = (msisdn: string): ProbedFact => ({
  fact: 'Uganda takes the number in the national form, others with the country code.',
  otherwise({ said }) {
    const shown = textOf(fieldAt(said, 'data', 'msisdn'))
    if (codeIn(said) !== 'DP02200000001') return 'the number was not found in this form'
    return shown === undefined || msisdn.endsWith(shown.replace(/^\D+/, '')) ? undefined : 'it is about another number'
  },
})
