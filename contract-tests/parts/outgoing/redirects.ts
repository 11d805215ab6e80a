import type { Contract } from '../../../openapi/reading/contract.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import { mobileCollection } from '../../harness/bodies.ts'
import { fieldsOf } from '../../harness/json.ts'
import type { Target } from '../../harness/part.ts'
import { passOn, wireRequest, type WireReply, type WireRequest } from '../../harness/proxy.ts'
import { redirectFaults, redirectNames } from '../../rules/redirects/redirect-address.ts'
import { newCustomer, visit } from '../receiver/customer.ts'
import type { FindingNotes } from './finding-notes.ts'
import { REDIRECT_URLS, REFUSED_URLS } from './redirect-urls.ts'

/** @param number of the collection: each has an account number of its own */
function request({ publicKey }: Target, seed: number, number: number, redirectUrl: string): WireRequest {
  const msisdn = `25677${String((seed * 7_919 + number * 101) % 10_000).padStart(4, '0')}123`
  const onPage = { mobile_money_hpp: true, redirect_url: redirectUrl }
  const headers = { 'public-key': publicKey, 'x-api-version': '1', 'content-type': 'application/json' }
  const body = mobileCollection({ merchant_reference: 'auto', msisdn, ...onPage })
  return wireRequest('POST', '/collections/initialize', headers, body)
}

/** Requests a collection with each address that must be refused. @returns how many */
export async function requestRefused(target: Target, seed: number, noted: FindingNotes): Promise<number> {
  for (const [number, url] of REFUSED_URLS.entries()) {
    const sent = request(target, seed, number, url)
    const { status } = await passOn(new URL(target.url), sent)
    const what = `a redirect_url that leads elsewhere than it seems to, or is no HTTPS address, was answered ${status}, not 400: ${JSON.stringify(url)}`
    if (status !== 400) noted.note(`redirect_url ${status}`, { about: 'initializeCollection', what }, sent)
  }
  return REFUSED_URLS.length
}

/** A customer cancels on a page for each address; the page's redirect is recorded. @returns how many */
export async function followRedirects(
  target: Target,
  contract: Contract,
  seed: number,
  noted: FindingNotes,
): Promise<number> {
  const names = redirectNames(contract)
  await Promise.all(
    REDIRECT_URLS.map(async (url, number) => {
      const sent = request(target, seed, REFUSED_URLS.length + number, url)
      const reply = await passOn(new URL(target.url), sent)
      if (reply.status !== 202) {
        const what = `a collection with a good redirect_url was answered ${reply.status}, not 202: ${JSON.stringify(url)}`
        return noted.note(`accepted ${reply.status}`, { about: 'initializeCollection', what }, sent)
      }
      const location = await pageRedirect(target, reply).catch(() => undefined)
      if (location === undefined)
        return noted.note(
          'nowhere',
          { about: 'customerRedirect', what: 'the page of a cancelled collection leads nowhere' },
          sent,
        )
      for (const { rule, what, about = 'customerRedirect' } of redirectFaults(url, location, names))
        noted.note(rule, { about, what }, sent)
    }),
  )
  return REDIRECT_URLS.length
}

/** The address that the page redirects to once the customer has cancelled. */
async function pageRedirect({ own, url }: Target, { body }: WireReply): Promise<string | undefined> {
  const { payment_url: page } = fieldsOf(fieldsOf(jsonOf(body)).data)
  const address = new URL(String(page))
  // Our own gateway is reached through the target's address, where everything is recorded.
  const customer = newCustomer(own ? url + address.pathname : address.href)
  const first = await visit(customer)
  const cancel = first.forms.find(({ button }) => /cancel/i.test(button))
  if (!cancel) return undefined
  // A form's reply may stay on the page (its policy forbids a form to redirect away); the page then redirects.
  return (await visit(customer, cancel)).redirectsTo ?? (await visit(customer)).redirectsTo
}
