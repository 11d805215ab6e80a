import type { Contract } from '../../../openapi/reading/contract.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import { mobileCollection } from '../../driver/bodies.ts'
import { customerOf, press, redirectOf } from '../../driver/customer.ts'
import { postRequest, sendRequest } from '../../driver/requests.ts'
import type { Target } from '../../harness/part.ts'
import { passOn, wireRequest, type WireReply, type WireRequest } from '../../harness/proxy.ts'
import { NEWEST, rsaKeyIn } from '../../rules/rsa-keys/pem.ts'
import { HIDDEN_PATHS } from './hidden-paths.ts'
import { REDIRECT_URLS, REFUSED_URLS } from './redirect-urls.ts'

export interface OutgoingRun {
  readonly target: Target
  readonly contract: Contract
  readonly seed: number
  /** Keeps each defect once. @param rule equal for the same defect @param request the one that shows it */
  note(about: string, rule: string, what: string, request: WireRequest): void
}

/** Checks of one subject. @returns the number of requests */
export type OutgoingCheck = (run: OutgoingRun) => Promise<number>

const get = (path: string, headers: Readonly<Record<string, string | undefined>> = {}): WireRequest =>
  wireRequest('GET', path, headers)
const sent = ({ target: { url } }: OutgoingRun, request: WireRequest): Promise<WireReply> =>
  passOn(new URL(url), request)

/** One object: a schema is compiled once per object. */
const ERROR_REPLY = { $ref: '#/components/schemas/ErrorReply' }
const isUnknown = ({ contract }: OutgoingRun, { status, body }: WireReply): boolean =>
  status === 404 && contract.faultIn(ERROR_REPLY, jsonOf(body)) === undefined

const AT_ONCE = 8

/** Requests each hidden path without keys and with both. */
const hidden: OutgoingCheck = async (run) => {
  const keys = { 'public-key': run.target.publicKey, 'secret-key': run.target.secretKey, 'x-api-version': '1' }
  const waiting = HIDDEN_PATHS.values()
  const requestNext = async (): Promise<void> => {
    for (const path of waiting) {
      const [without, withKeys] = [get(path), get(path, keys)]
      const replies = [await sent(run, without), await sent(run, withKeys)] as const
      for (const [index, reply] of replies.entries()) {
        const what = `${path} is answered ${reply.status}, not 404 in the envelope, as the page "Errors" has it for a wrong path`
        if (!isUnknown(run, reply))
          run.note('hidden paths', `status ${reply.status}`, what, index === 0 ? without : withKeys)
      }
      const what = `${path} is answered otherwise to who has keys`
      if (!replies[0].body.equals(replies[1].body)) run.note('hidden paths', 'with keys', what, withKeys)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, requestNext))
  return 2 * HIDDEN_PATHS.length
}

/**
 * What a server has beside the contract. The rules judge what comes; some servers have none of it. Without the docs
 * themselves: a clone that has not built them answers 503.
 */
const PUBLIC_PAGES = [
  '/',
  '/docs/no-such-page',
  '/openapi.json',
  '/favicon.svg',
  '/health/live',
  '/health/ready',
  '/pay/collection/MLP0000000000000000000000',
]
const ORIGINS = [undefined, 'https://shop.example', 'null']

/** Requests pages and files as a browser does, from its own site and from another one. */
const pages: OutgoingCheck = async (run) => {
  for (const path of PUBLIC_PAGES)
    for (const origin of ORIGINS) await sent(run, get(path, { accept: 'text/html,*/*', origin }))
  return PUBLIC_PAGES.length * ORIGINS.length
}

const UNUSED_ID = '0123456789abcdef'
const byId = (id: string): WireRequest => get(`/.well-known/malipo-rsa/${id}.pem`)
/** An id is its 16 digits, in lower case, and nothing else. */
const almost = (id: string): readonly string[] =>
  [
    id.toUpperCase(),
    id.slice(0, -1),
    `${id}0`,
    `0${id}`,
    `0x${id}`,
    `${id}.pem`,
    `%20${id}`,
    '',
    '*',
    'current',
  ].filter((other) => other !== id)

/** The current signing key equals the key with its id, and an unknown id has none. */
const keys: OutgoingCheck = async (run) => {
  const newest = await sent(run, get(NEWEST))
  const read = rsaKeyIn(newest.body.toString('latin1'))
  if (newest.status !== 200 || typeof read === 'string') {
    run.note('RSA keys', 'newest', `${NEWEST} is answered ${newest.status}, without the PEM of one key`, get(NEWEST))
    return 1
  }
  const same = await sent(run, byId(read.id))
  const what = `the RSA key that signs now is another one, or none, by its own id (HTTP ${same.status})`
  if (same.status !== 200 || !same.body.equals(newest.body)) run.note('RSA keys', 'pair', what, byId(read.id))
  const others = [UNUSED_ID, ...almost(read.id)].map(byId)
  for (const request of others) {
    const none = await sent(run, request)
    const served = `an RSA key of an id that never was (${request.path}) is answered ${none.status}, not 404 in the envelope`
    if (!isUnknown(run, none)) run.note('RSA keys', 'unused id', served, request)
  }
  return 2 + others.length
}

/** @param number of the collection: each has an account number of its own */
function hostedCollection({ target, seed }: OutgoingRun, number: number, redirect_url: string): WireRequest {
  const msisdn = `25677${String((seed * 7_919 + number * 101) % 10_000).padStart(4, '0')}123`
  const body = mobileCollection({ merchant_reference: 'auto', msisdn, mobile_money_hpp: true, redirect_url })
  return postRequest(target, 'initializeCollection', body)
}

/** Requests a collection with each address that must be refused. */
const refused: OutgoingCheck = async (run) => {
  for (const [number, url] of REFUSED_URLS.entries()) {
    const request = hostedCollection(run, number, url)
    const { status } = await sendRequest(run.target.url, request)
    const what = `a redirect_url that leads elsewhere than it seems to, or is no HTTPS address, was answered ${status}, not 400: ${JSON.stringify(url)}`
    if (status !== 400) run.note('initializeCollection', `redirect_url ${status}`, what, request)
  }
  return REFUSED_URLS.length
}

/** A customer cancels on a page for each address; the rule "redirects" compares where the page leads. */
const redirects: OutgoingCheck = async (run) => {
  const { target } = run
  if (!target.sandbox) return 0
  const cancel = async (url: string, number: number): Promise<void> => {
    const request = hostedCollection(run, REFUSED_URLS.length + number, url)
    const { status, data } = await sendRequest(target.url, request)
    const what = `a collection with a good redirect_url was answered ${status}, not 202: ${JSON.stringify(url)}`
    if (status !== 202) return run.note('initializeCollection', `accepted ${status}`, what, request)
    const customer = customerOf(target, data)
    const page = customer && (await press(customer, 'cancel').catch(() => undefined))
    // A form's reply may stay on the page (its policy forbids a form to redirect away); the page then redirects.
    if (!page || (page.redirectsTo ?? (await redirectOf(customer))) === undefined)
      run.note('customerRedirect', 'nowhere', 'the page of a cancelled collection leads nowhere', request)
  }
  await Promise.all(REDIRECT_URLS.map(cancel))
  return REDIRECT_URLS.length
}

export const REQUESTS = { hidden, pages, keys, refused, redirects }
