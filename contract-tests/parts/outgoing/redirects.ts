import { postRequest, sendRequest } from '../../driver/requests.ts'
import { mobileCollection } from '../../driver/bodies.ts'
import type { Fields } from '../../harness/json.ts'
import type { Target } from '../../harness/part.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import { customerOf, press, redirectOf } from '../../driver/customer.ts'
import type { FindingNotes } from './finding-notes.ts'
import { REDIRECT_URLS, REFUSED_URLS } from './redirect-urls.ts'

/** @param number of the collection: each has an account number of its own */
function request(target: Target, seed: number, number: number, redirectUrl: string): WireRequest {
  const msisdn = `25677${String((seed * 7_919 + number * 101) % 10_000).padStart(4, '0')}123`
  const onPage = { mobile_money_hpp: true, redirect_url: redirectUrl }
  const body = mobileCollection({ merchant_reference: 'auto', msisdn, ...onPage })
  return postRequest(target, 'initializeCollection', body)
}

/** Requests a collection with each address that must be refused. @returns how many */
export async function requestRefused(target: Target, seed: number, noted: FindingNotes): Promise<number> {
  for (const [number, url] of REFUSED_URLS.entries()) {
    const sent = request(target, seed, number, url)
    const { status } = await sendRequest(target.url, sent)
    const what = `a redirect_url that leads elsewhere than it seems to, or is no HTTPS address, was answered ${status}, not 400: ${JSON.stringify(url)}`
    if (status !== 400) noted.note(`redirect_url ${status}`, { about: 'initializeCollection', what }, sent)
  }
  return REFUSED_URLS.length
}

/** A customer cancels on a page for each address; the rule "redirects" compares where the page leads. @returns how many */
export async function followRedirects(target: Target, seed: number, noted: FindingNotes): Promise<number> {
  await Promise.all(
    REDIRECT_URLS.map(async (url, number) => {
      const sent = request(target, seed, REFUSED_URLS.length + number, url)
      const reply = await sendRequest(target.url, sent)
      if (reply.status !== 202) {
        const what = `a collection with a good redirect_url was answered ${reply.status}, not 202: ${JSON.stringify(url)}`
        return noted.note(`accepted ${reply.status}`, { about: 'initializeCollection', what }, sent)
      }
      const location = await pageRedirect(target, reply.data).catch(() => undefined)
      if (location === undefined)
        return noted.note(
          'nowhere',
          { about: 'customerRedirect', what: 'the page of a cancelled collection leads nowhere' },
          sent,
        )
    }),
  )
  return REDIRECT_URLS.length
}

/** The address that the page redirects to once the customer has cancelled. */
async function pageRedirect(target: Target, data: Fields): Promise<string | undefined> {
  const customer = customerOf(target, data)
  const cancelled = customer && (await press(customer, 'cancel'))
  // A form's reply may stay on the page (its policy forbids a form to redirect away); the page then redirects.
  return cancelled && (cancelled.redirectsTo ?? redirectOf(customer))
}
