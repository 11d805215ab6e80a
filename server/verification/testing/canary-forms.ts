import { present } from '../../domain/present.ts'
import type { Canaries } from './canary.ts'
import { validRequests } from './canary-places.ts'
import type { Text } from './canary-scan.ts'
import { sendRequest, headersOf, internalReference, replyText, type Traffic } from './canary-traffic.ts'
import { openPage, type PageVisit } from './page-visit.ts'
import { mobileMoneyCollection, uniqueReference } from './requests.ts'

type Fields = Readonly<Record<string, string>>

const FORMS = ['confirm', 'otp', 'otp/new', 'cancel'] as const

/** The payment page's forms: correct, wrong, and with the correct value in the wrong field. */
export async function sendForms(traffic: Traffic): Promise<Text[]> {
  const texts: Text[] = []
  for (const form of FORMS) {
    const page = await openPageWith(traffic, form)
    for (const [place, at, fields, headers] of postsOf(form, page, traffic.canaries))
      texts.push(await post(traffic, place, at, fields, headers))
    const from = traffic.canaries.plant('secret', `page ${form} query`)
    for (const address of [
      `${page.path}?from=${from}&${from}`,
      `${page.path}/status?${from}`,
      `${page.path}/${form}?${from}`,
    ])
      texts.push({
        where: `reply to page ${form} query`,
        text: await replyText(await sendRequest(traffic, 'GET', address, {})),
      })
  }
  return texts
}

async function post(
  traffic: Traffic,
  place: string,
  path: string,
  fields: Fields,
  headers: Fields = {},
): Promise<Text> {
  const response = await sendRequest(traffic, 'POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })
  return { where: `reply to page ${place}`, text: await replyText(response) }
}

/** The page of a new collection that shows this form. */
async function openPageWith(traffic: Traffic, form: (typeof FORMS)[number]): Promise<PageVisit> {
  const byBank = validRequests.find(({ name }) => name.endsWith('collection_bank'))?.body
  const body = form.startsWith('otp')
    ? mobileMoneyCollection({ msisdn: '256772000005' })
    : present(byBank, 'the collection by bank')
  const reference = await internalReference(
    await sendRequest(traffic, 'POST', '/collections/initialize', {
      headers: headersOf(traffic),
      body: JSON.stringify({ ...body, merchant_reference: uniqueReference() }),
    }),
  )
  return openPage(traffic.url, `${traffic.url}/pay/collection/${reference}`)
}

function everyField(canaries: Canaries, place: string): Fields {
  const secret = canaries.plant('secret', place)
  return {
    otp: secret,
    bank_code: canaries.plant('otp', place),
    account_number: secret,
    card_cipher: canaries.plant('card', place),
    [secret]: canaries.plant('card', place),
  }
}

type Post = readonly [place: string, path: string, fields: Fields, headers?: Fields]

/** The posts of a form, the correct one last: after it the page is a different one. */
function postsOf(form: (typeof FORMS)[number], { path, cookie, token }: PageVisit, canaries: Canaries): Post[] {
  const at = `${path}/${form}`
  const planted = (kind: 'secret' | 'card' | 'otp', what: string) => canaries.plant(kind, `page ${form} ${what}`)
  const every = (what: string) => everyField(canaries, `page ${form} ${what}`)
  const posts: Post[] = [
    [`${form} without a token`, at, every('without a token')],
    [
      `${form} wrong token`,
      at,
      { ...every('wrong token'), token: planted('secret', 'wrong token') },
      { cookie: `malipo_pay=${planted('card', 'wrong token')}` },
    ],
    [
      `${form} too large`,
      at,
      { token, otp: `${planted('secret', 'too large')}${planted('card', 'too large')}`.repeat(200) },
      { cookie },
    ],
    [`${form} no form`, at, every('no form'), { cookie, 'content-type': `text/${planted('secret', 'no form')}` }],
    [
      `${form} foreign`,
      at,
      { ...every('foreign'), token },
      { cookie, origin: `https://${planted('secret', 'foreign')}.example` },
    ],
    [
      `${form} wrong fields`,
      `${at}?otp=${planted('otp', 'wrong fields')}`,
      { ...every('wrong fields'), token },
      { cookie },
    ],
  ]
  if (form === 'otp')
    posts.push(
      ['otp wrong', at, { token, otp: '918273' }, { cookie }],
      ['otp right', at, { token, otp: '123456' }, { cookie }],
    )
  if (form === 'confirm')
    posts.push([
      'confirm account',
      at,
      { token, bank_code: 'access_bank_ng', account_number: canaries.plant('card', 'page confirm account_number') },
      { cookie },
    ])
  return posts
}
