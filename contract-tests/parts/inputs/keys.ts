import type { WireRequest } from '../../harness/proxy.ts'
import type { ExpectedReply } from '../limits/act.ts'
import { getRequest, postRequest } from '../limits/requests.ts'
import type { LimitsFixture } from '../limits/scene.ts'
import { KINDS } from './asked.ts'
import { inTurns } from './texts.ts'

const SOURCE = 'the contract: public-key and secret-key are headers, and nothing else'
const NOT_VALID: ExpectedReply = { status: 401, message: 'The public-key or secret-key is not valid' }
const LOOKUP = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'

type Header = 'public-key' | 'secret-key'
interface KeyCase {
  readonly about: string
  readonly keys: readonly Header[]
  readonly make: (scene: LimitsFixture) => WireRequest
}

const WALLETS: KeyCase = {
  about: 'listWalletBalances',
  keys: ['public-key', 'secret-key'],
  make: ({ target }) => getRequest(target, '/data/wallet-balances', { 'secret-key': target.secretKey }),
}
const REQUESTED: readonly KeyCase[] = [
  { about: 'listPaymentProviders', keys: ['public-key'], make: ({ target }) => getRequest(target, LOOKUP) },
  WALLETS,
  {
    about: 'initializeCollection',
    keys: ['public-key'],
    make: (scene) => postRequest(scene.target, 'initializeCollection', KINDS['a collection'](scene.act(''))),
  },
  {
    about: 'sendFunds',
    keys: ['public-key', 'secret-key'],
    make: (scene) => postRequest(scene.target, 'sendFunds', KINDS['a payout'](scene.act(''))),
  },
]

/** Where else a client might put a key. */
const ELSEWHERE: Readonly<Record<string, (request: WireRequest, name: Header, key: string) => WireRequest>> = {
  'in the query': (request, name, key) => ({
    ...request,
    path: `${request.path}${request.path.includes('?') ? '&' : '?'}${name}=${key}&${under(name)}=${key}`,
  }),
  'in the body': (request, name, key) => ({
    ...request,
    body:
      request.body.length > 0
        ? Buffer.from(request.body.toString().replace(/\}$/, `,"${name}":"${key}","${under(name)}":"${key}"}`))
        : request.body,
  }),
  'in a cookie': (request, name, key) => withHeader(request, 'cookie', `${name}=${key}; ${under(name)}=${key}`),
  'as a bearer token': (request, _name, key) => withHeader(request, 'authorization', `Bearer ${key}`),
  'as a user of Basic': (request, _name, key) =>
    withHeader(request, 'authorization', `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`),
  'in X-headers': (request, name, key) =>
    [`x-${name}`, 'x-api-key', 'api-key', 'apikey'].reduce(
      (requested, other) => withHeader(requested, other, key),
      request,
    ),
  'with an underscore': (request, name, key) => withHeader(request, under(name), key),
  'in the path': (request, _name, key) => ({ ...request, path: request.path.replace(/(\?|$)/, `;key=${key}$1`) }),
}
const under = (name: string): string => name.replace('-', '_')

const withHeader = (request: WireRequest, name: string, ...values: readonly string[]): WireRequest => ({
  ...request,
  headers: { ...request.headers, [name]: [...values] },
})
const withoutHeader = (request: WireRequest, name: string): WireRequest => ({
  ...request,
  headers: Object.fromEntries(Object.entries(request.headers).filter(([each]) => each !== name)),
})

/** Keys are taken from nowhere but their header, and no other text is one. */
export async function keys(scene: LimitsFixture): Promise<void> {
  const places = REQUESTED.flatMap((requested) =>
    requested.keys.flatMap((name) =>
      Object.entries(ELSEWHERE).map(([where, put]) => [requested, name, where, put] as const),
    ),
  )
  await inTurns(places, async ([{ about, make }, name, where, put]) => {
    const act = scene.act(`a ${name} ${where}`)
    const reply = await act.send(put(withoutHeader(make(scene), name), name, keyOf(scene, name)))
    // A path with something in it may be another one.
    const isRefused = reply.status === 401 || (where === 'in the path' && reply.status === 404)
    const what = `${about}: a ${name} ${where}, and none in its header, was answered ${reply.status} "${reply.message}", not 401 "${name} is required" (${SOURCE})`
    const words = reply.status !== 401 || reply.message === `${name} is required`
    act.hold(name, isRefused && words, `taken ${where}`, what)
  })
  await inTurns(REQUESTED, (requested) => almost(scene, requested))
}

const keyOf = ({ target }: LimitsFixture, name: Header): string =>
  name === 'public-key' ? target.publicKey : target.secretKey

/** Texts that are not the key although they look like it. */
async function almost(scene: LimitsFixture, { about, keys: names, make }: KeyCase): Promise<void> {
  for (const name of names) {
    const key = keyOf(scene, name)
    const other = name === 'public-key' ? scene.target.secretKey : scene.target.publicKey
    const wrong = {
      'in capitals': key.toUpperCase(),
      'with a letter more': `${key}0`,
      'with a letter less': key.slice(0, -1),
      'twice in one': `${key}${key}`,
      'in a list': `${key}, nobody`,
      'as a pattern': '%',
      'in quotes': `"${key}"`,
      'that is the other key': other,
    }
    for (const [what, text] of Object.entries(wrong)) {
      const act = scene.act(`a ${name} ${what}`)
      const reply = await act.send(withHeader(make(scene), name, text))
      act.expect(name, reply, NOT_VALID, `a ${name} ${what} is taken`, `${SOURCE}; ${about}`)
    }
    for (const values of [
      ['nobody', key],
      [key, 'nobody'],
    ]) {
      const act = scene.act(`two ${name} headers`)
      const { status, message } = await act.send(withHeader(make(scene), name, ...values))
      const what = `${about}: one right ${name} and one wrong were answered ${status} "${message}", not 401 or 400`
      act.hold(name, status === 401 || status === 400, `one of two ${name} headers is taken`, what)
    }
  }
}
