import type { Fields } from '../../harness/json.ts'
import { getRequest } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { holdBody, type Kind } from './input-requests.ts'
import { BASE32, DIGITS, inTurns, LETTERS, pieces, PRINTABLE } from './texts.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

const IN_DOMAIN = 'shop.example'
/** RFC 3986: characters allowed unescaped in a path, a query and a fragment. */
const PCHAR = `${LETTERS}${DIGITS}-._~!$&'()*+,;=:@`

/** Addresses in every form of RFC 3986: what the generated texts cannot make from the contract's pattern. */
const REDIRECTS: readonly (readonly [kind: Kind, urls: readonly string[]])[] = [
  ['a bank collection', urls()],
  ['a collection', ['https://shop.example', 'https://127.0.0.1:8443/x', 'https://[2001:db8::1]:1/']],
]

function urls(): readonly string[] {
  const whole = `https://${IN_DOMAIN}`
  return [
    `${whole}/${PCHAR}/`,
    `${whole}/?${PCHAR}/?`,
    `${whole}/#${PCHAR}/?`,
    `${whole}/%20%C3%A9%00%2F%25?a=%26&b=%3D#%23`,
    `${whole}//two//slashes?&&==`,
    `HTTPS://SHOP.Example/Case`,
    `${whole}:443/`,
    'https://a-b.c-d.example./',
    'https://café.example/paid',
    'https://متجر.example/',
    'https://xn--caf-dma.example/',
    'http://127.0.0.1:3000/done',
    'http://localhost/done',
    'http://[::1]:3000/done',
  ]
}

const SOURCE = 'the pattern of the field in the contract'

/** Each character of a redirect's address, of an unknown code and of a lookup. */
export async function characters(fixture: DriverFixture): Promise<void> {
  await inTurns(
    REDIRECTS.flatMap(([kind, values]) => values.map((value) => [kind, value] as const)),
    ([kind, value]) =>
      holdBody(fixture, kind, { redirect_url: value }, 'redirect_url: an allowed character is refused', {
        source: `${SOURCE}; ${value}`,
      }),
  )
  await codes(fixture)
  await lookups(fixture)
}

/** Unknown codes are refused with messages that repeat them, whatever printable character they contain. */
async function codes(fixture: DriverFixture): Promise<void> {
  const unknown = pieces(`~${PRINTABLE.slice(1)} .`, 64)
  const payTo = (bank_code: string): Fields => ({ extra_params: { bank_code } })
  await inTurns(unknown, async (code) => {
    const named = { status: 400, message: refusal('provider_unknown', { mtn_xx: code }) }
    const rule = 'provider_code: an unknown one is not named as it was sent'
    await holdBody(fixture, 'a collection', { provider_code: code }, rule, { expected: named, source: SOURCE })
    await holdBody(fixture, 'a payout', { provider_code: code }, rule, { expected: named, source: SOURCE })
    const bank = { status: 400, message: refusal('bank_unknown', { no_such_bank: code }) }
    const ruleOfBanks = 'bank_code: an unknown one is not named as it was sent'
    await holdBody(fixture, 'a bank payout', payTo(code), ruleOfBanks, { expected: bank, source: SOURCE })
    const driver = fixture.driver('banks of an unknown provider')
    const path = `/data/payout-bank-codes?provider_code=${encodeURIComponent(code)}`
    driver.expect('listPayoutBanks', await driver.send(getRequest(fixture.target, path)), named, rule, SOURCE)
  })
  await inTurns(pieces(PRINTABLE.slice(1), 32), (msisdn) =>
    holdBody(fixture, 'a collection', { msisdn }, 'msisdn: one that is none is not named as it was sent', {
      expected: {
        status: 400,
        message: refusal('phone_incomplete', { '772000123': msisdn }),
      },
      source: SOURCE,
    }),
  )
}

/** References and currencies of lookups. */
async function lookups(fixture: DriverFixture): Promise<void> {
  const { target } = fixture
  await inTurns(
    pieces(LETTERS.slice(0, 26), 3, 3).map((text) => text.toUpperCase()),
    async (currency) => {
      const driver = fixture.driver('a currency')
      const path = `/data/payment-providers?currency=${currency}&transaction_type=PAYOUT`
      const rule = 'currency: an allowed letter is refused'
      driver.expect('listPaymentProviders', await driver.send(getRequest(target, path)), { status: 200 }, rule, SOURCE)
    },
  )
  await inTurns(pieces(BASE32, 22), async (symbols) => {
    const driver = fixture.driver('an internal reference')
    const internal_reference = `MLP${symbols.toUpperCase()}`
    const missing = {
      status: 404,
      message: refusal('collection_unknown', { MLPZ3PTH71TPWQEC220581Y7W: internal_reference }),
    }
    const reply = await driver.post('authorizeCollection', { internal_reference, otp: 123_456 })
    driver.expect('authorizeCollection', reply, missing, 'internal_reference: an allowed symbol is refused', SOURCE)
  })
}
