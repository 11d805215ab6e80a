import { onTestFinished } from 'vitest'
import { fakePayments, type FakePayments } from './fake-payments.ts'

// For tests: simulates a browser tab on the page, without a browser.

/** Payments that are closed at the end of the test that started them. */
export const start = (...args: Parameters<typeof fakePayments>): FakePayments => {
  const payments = fakePayments(...args)
  onTestFinished(() => payments.app.close())
  return payments
}
export const pathOf = (reference: string) => `/pay/collection/${reference}`

/** A browser with one tab: it keeps the cookie, and reads the form's token from the page. */
export function browse({ app }: FakePayments, reference: string) {
  const cookies = new Map<string, string>()
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') || undefined
  let token = ''
  const keep = (reply: Awaited<ReturnType<typeof app.inject>>) => {
    for (const line of [reply.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    token = /name="token" value="([^"]+)"/.exec(reply.body)?.[1] ?? token
    return reply
  }
  return {
    get cookie() {
      return cookieHeader()
    },
    get token() {
      return token
    },
    get: async (suffix = '', headers: Record<string, string> = {}) =>
      keep(
        await app.inject({ url: pathOf(reference) + suffix, headers: sent({ cookie: cookieHeader(), ...headers }) }),
      ),
    post: async (
      action: string,
      fields: Record<string, string> = {},
      headers: Record<string, string | undefined> = {},
    ) =>
      keep(
        await app.inject({
          method: 'POST',
          url: `${pathOf(reference)}/${action}`,
          headers: sent({
            'content-type': 'application/x-www-form-urlencoded',
            'sec-fetch-site': 'same-origin',
            origin: 'null',
            cookie: cookieHeader(),
            ...headers,
          }),
          payload: new URLSearchParams({ token, ...fields }).toString(),
        }),
      ),
  }
}

/** Omits headers that are undefined. */
export const sent = (headers: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined))

export async function opened(payments: FakePayments, reference: string) {
  const tab = browse(payments, reference)
  await tab.get()
  return tab
}

export const heading = (page: string) => /<h1>([^<]*)<\/h1>/.exec(page)?.[1]
export const alertOf = (page: string) => /role="alert"[^>]*>([^<]*)</.exec(page)?.[1]
