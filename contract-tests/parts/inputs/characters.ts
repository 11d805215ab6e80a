import type { Fields } from '../../harness/json.ts'
import { getRequest } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { holdBody, REFUSED, type Kind } from './input-requests.ts'
import { BASE32, DIGITS, LETTERS, pieces, PRINTABLE } from './texts.ts'

/** RFC 3986: characters allowed unescaped in a path, a query and a fragment. */
const PCHAR = `${LETTERS}${DIGITS}-._~!$&'()*+,;=:@`
const SHOP = 'https://shop.example'

/** Addresses in every form of RFC 3986: what the generated texts cannot make from the contract's pattern. */
const REDIRECTS: readonly (readonly [url: string, kind?: Kind])[] = [
  [`${SHOP}/${PCHAR}/`],
  [`${SHOP}/?${PCHAR}/?`],
  [`${SHOP}/#${PCHAR}/?`],
  [`${SHOP}/%20%C3%A9%00%2F%25?a=%26&b=%3D#%23`],
  [`${SHOP}//two//slashes?&&==`],
  ['HTTPS://SHOP.Example/Case'],
  [`${SHOP}:443/`],
  ['https://a-b.c-d.example./'],
  ['https://café.example/paid'],
  ['https://متجر.example/'],
  ['https://xn--caf-dma.example/'],
  ['http://127.0.0.1:3000/done'],
  ['http://localhost/done'],
  ['http://[::1]:3000/done'],
  [SHOP, 'a collection'],
  ['https://127.0.0.1:8443/x', 'a collection'],
  ['https://[2001:db8::1]:1/', 'a collection'],
]

const SOURCE = 'the pattern of the field in the contract'

/** Each character of a redirect's address, of an unknown code and of an internal reference. */
export async function characters(fixture: DriverFixture): Promise<void> {
  await forEachOf(REDIRECTS, ([redirect_url, kind = 'a bank collection']) =>
    holdBody(fixture, kind, { redirect_url }, 'redirect_url: an allowed character is refused', {
      source: `${SOURCE}; ${redirect_url}`,
    }),
  )
  await codes(fixture)
  await forEachOf(pieces(BASE32, 22), async (symbols) => {
    const driver = fixture.driver('an internal reference')
    const reply = await driver.post('authorizeCollection', {
      internal_reference: `MLP${symbols.toUpperCase()}`,
      otp: 123_456,
    })
    const rule = 'internal_reference: an allowed symbol is refused'
    driver.expect('authorizeCollection', reply, { status: 404 }, rule, SOURCE)
  })
}

/** Unknown codes, with every printable character: the rule "messages" sees that a refusal repeats them as sent. */
async function codes(fixture: DriverFixture): Promise<void> {
  const refused = (kind: Kind, change: Fields): Promise<unknown> =>
    holdBody(fixture, kind, change, 'an unknown code is not refused', { expected: REFUSED, source: SOURCE })
  await forEachOf(pieces(`~${PRINTABLE.slice(1)} .`, 64), async (code) => {
    await refused('a collection', { provider_code: code })
    await refused('a payout', { provider_code: code })
    await refused('a bank payout', { extra_params: { bank_code: code } })
    const driver = fixture.driver('banks of an unknown provider')
    const path = `/data/payout-bank-codes?provider_code=${encodeURIComponent(code)}`
    const reply = await driver.send(getRequest(fixture.target, path))
    driver.expect('listPayoutBanks', reply, REFUSED, 'an unknown code is not refused', SOURCE)
  })
  await forEachOf(pieces(PRINTABLE.slice(1), 32), (msisdn) => refused('a collection', { msisdn }))
}
