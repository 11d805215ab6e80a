/** Cookies of the page's host, by path and name. */
export type Cookies = Map<string, { readonly name: string; readonly value: string; readonly path: string }>

/** A customer with a browser without JavaScript: opens the page, fills its forms in, and follows redirects. */
export interface Customer {
  readonly cookies: Cookies
  /** Address of the page. */
  url: string
  /** The server's own origin, when the page is opened through a recorder. */
  readonly direct?: string | undefined
}

export interface Form {
  readonly action: string
  /** Its initial value; for a list, the first real choice. */
  readonly fields: Readonly<Record<string, string>>
  readonly button: string
}

export interface Page {
  readonly status: number
  readonly forms: readonly Form[]
  /** The redirect to another host; undefined while there is none. */
  readonly redirectsTo: string | undefined
}

const HOPS_MAX = 5
const TIME_LIMIT_MS = 10_000

/** @param cookies of a browser that has paid before */
export const newCustomer = (url: string, direct?: string, cookies: Cookies = new Map()): Customer => ({
  cookies,
  url,
  direct,
})

/** The cookies that a browser sends to an address (RFC 6265, section 5.1.4). */
export const cookiesFor = (cookies: Cookies, { pathname }: URL): string =>
  [...cookies.values()]
    .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')

/** Opens the page or submits a form, and follows redirects on its host. @throws Error without a reply */
export async function visit(
  customer: Customer,
  form?: Form,
  typed: Readonly<Record<string, string>> = {},
): Promise<Page> {
  let url = form ? new URL(form.action, customer.url) : new URL(customer.url)
  const { origin } = url
  let body = form && new URLSearchParams({ ...form.fields, ...typed })
  for (let hop = 0; hop < HOPS_MAX; hop++) {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
      ...(body && { body }),
      headers: { cookie: cookiesFor(customer.cookies, url) },
    })
    const html = await response.text()
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /;\s*path=([^;]*)/i.exec(line)?.[1] ?? url.pathname.replace(/(?<=.)\/[^/]*$/, '')
      if (name !== undefined && value !== undefined) customer.cookies.set(`${path} ${name}`, { name, value, path })
    }
    const location = response.headers.get('location')
    if (location === null || response.status < 300 || response.status > 399)
      return { status: response.status, forms: formsIn(html), redirectsTo: undefined }
    const there = new URL(location, url)
    const next = there.origin === customer.direct ? new URL(there.pathname + there.search, origin) : there
    // As written: parsing and serializing it could repair a fault.
    if (next.origin !== origin) return { status: response.status, forms: [], redirectsTo: location }
    customer.url = next.href.replace(/\?.*/, '')
    url = next
    body = undefined
  }
  return { status: 0, forms: [], redirectsTo: undefined }
}

function formsIn(html: string): readonly Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = '', content = '']) => ({
    action: attribute(attributes, 'action'),
    fields: Object.fromEntries([
      ...[...content.matchAll(/<input\b([^>]*)>/gs)].map(([, input = '']): [string, string] => [
        attribute(input, 'name'),
        attribute(input, 'value'),
      ]),
      ...[...content.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].map(
        ([, select = '', options = '']): [string, string] => [
          attribute(select, 'name'),
          /value="([^"]+)"/.exec(options)?.[1] ?? '',
        ],
      ),
    ]),
    button: (/<button\b[^>]*>(.*?)<\/button>/s.exec(content)?.[1] ?? '').replace(/<[^>]*>/g, '').trim(),
  }))
}

const attribute = (attributes: string, name: string): string =>
  unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')
const NAMED: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }
const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code: string | undefined, name: string) =>
    code === undefined ? (NAMED[name] ?? whole) : String.fromCodePoint(Number(code)),
  )
