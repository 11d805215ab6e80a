/** The HTTP part of a customer's browser: the page's cookie, and the token in its forms. */
export interface PageVisit {
  /** `/pay/collection/<internal reference>`: the same at every process. */
  readonly path: string
  readonly cookie: string
  readonly token: string
}

/**
 * Opens the payment page at one process.
 * @throws Error when there is no page with a form
 */
export async function openPage(baseUrl: string, paymentUrl: string): Promise<PageVisit> {
  const path = new URL(paymentUrl).pathname
  const response = await fetch(baseUrl + path, { redirect: 'manual' })
  const [, token] = /name="token" value="([^"]+)"/.exec(await response.text()) ?? []
  const [cookie] = (response.headers.get('set-cookie') ?? '').split(';')
  if (response.status !== 200 || token === undefined || !cookie)
    throw new Error(`the page answered ${response.status}, with${token === undefined ? 'out' : ''} a form`)
  return { path, cookie, token }
}

/**
 * Submits one of the page's forms to a process, possibly another one than served the page.
 * @param form `confirm`, `otp`, `cancel`
 */
export const submitForm = (
  baseUrl: string,
  { path, cookie, token }: PageVisit,
  form: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${baseUrl}${path}/${form}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ token, ...fields }),
  })

/**
 * The link for a customer whose payment is final: an address of the merchant's, signed; undefined while there is none.
 */
export async function redirectOf(baseUrl: string, paymentUrl: string): Promise<string | undefined> {
  const response = await fetch(baseUrl + new URL(paymentUrl).pathname, { redirect: 'manual' })
  await response.arrayBuffer()
  return response.status === 303 ? (response.headers.get('location') ?? undefined) : undefined
}
