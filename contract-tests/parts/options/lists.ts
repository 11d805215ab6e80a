import { reported } from '../../driver/api-replies.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { minorOf } from '../../driver/money.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import {
  banksIn,
  DIRECTIONS,
  listBanks,
  listOptions,
  optionsIn,
  walletCurrencies,
  type Bank,
  type Direction,
  type Option,
} from '../../driver/provider-options.ts'
import type { ChargeRule } from './charges.ts'
import type { PageProvider, SandboxPage } from './page.ts'

/** A payment option as the server lists it, completed from the docs. */
export interface PaidOption extends Option {
  /** As documented, otherwise as listed: faults of the list were reported already. */
  readonly minMinor: bigint
  readonly maxMinor: bigint
  /** Undefined when the docs do not mention it. */
  readonly charge: ChargeRule | undefined
  readonly asksForOtp: boolean | undefined
  /** Has the request that listed it. */
  readonly lister: PaymentDriver
}

const PROVIDERS = 'listPaymentProviders'
/** A currency that no sandbox provider moves. */
const NO_PROVIDERS = 'XOF'
const nameOf = (code: string, type: Direction): string => `${code} ${type}`

/**
 * All options of the account: in the currencies of its wallets, and in those of the docs. A list must agree with the
 * docs; that it has what was requested, once each, the rule "requested items" sees.
 */
export async function listedOptions(
  fixture: DriverFixture,
  page: SandboxPage | undefined,
  isChosen: (option: Option) => boolean,
): Promise<readonly PaidOption[]> {
  const held = await walletCurrencies(fixture.driver('the wallets'))
  const currencies = new Set([...held, ...(page?.providers ?? []).map(({ currency }) => currency), NO_PROVIDERS])
  const requested = [...currencies].flatMap((currency) => DIRECTIONS.map((type) => ({ currency, type })))
  const lists = await forEachOf(requested, async ({ currency, type }) => {
    const lister = fixture.driver(`the list for ${type} in ${currency}`)
    const reply = await listOptions(lister, type, currency)
    lister.expect(PROVIDERS, reply, 200, 'answered', 'the contract')
    return optionsIn(reply, type, currency).map((option): PaidOption => {
      const documented = page?.providers.find(({ code }) => code === option.code)
      return {
        ...option,
        minMinor: documented?.minMinor ?? minor(option.min, currency),
        maxMinor: documented?.maxMinor ?? minor(option.max, currency),
        charge: documented?.charges[type],
        asksForOtp: type === 'COLLECTION' ? documented?.asksForOtp : false,
        lister,
      }
    })
  })
  const options = lists.flat().filter(isChosen)
  for (const option of options) judgeOption(option, page)
  for (const provider of page?.providers ?? [])
    for (const type of DIRECTIONS) {
      const { code, currency } = provider
      const isListed = options.some((option) => option.code === code && option.type === type)
      const what = `${code} is not listed for ${type} in ${currency}; the docs of the sandbox say that it is there`
      fixture.driver(nameOf(code, type)).hold(PROVIDERS, isListed, `missing ${type}`, what)
    }
  return options
}

const minor = (amount: number, currency: string): bigint => minorOf(amount, currency) ?? -1n

function judgeOption(option: PaidOption, page: SandboxPage | undefined): void {
  const { code, type, currency, min, max, daily, lister } = option
  const limits = `${code} is listed with limits of ${min} to ${max} and ${daily} a day ${currency}, within which nothing can be paid`
  lister.hold(PROVIDERS, 0 < min && min <= max && max <= daily, 'possible limits', limits)
  if (!page) return
  const provider = page.providers.find((each) => each.code === code)
  const unknown = `${code} is listed, and the docs of the sandbox do not know it`
  if (!lister.hold(PROVIDERS, provider !== undefined, 'more than the docs', unknown) || !provider) return
  const documented = factsOf(provider)
  const listed = factsOf({
    ...option,
    minMinor: minor(min, currency),
    maxMinor: minor(max, currency),
    dailyMinor: minor(daily, currency),
  })
  for (const [fact, value] of Object.entries(listed)) {
    const what = `${fact} of ${code} for ${type} is ${value}, in the docs of the sandbox ${documented[fact]}`
    lister.hold(PROVIDERS, value === documented[fact], fact, what)
  }
}

/** What the docs and the lists both say, in words. */
const factsOf = (
  provider: Pick<PageProvider, 'name' | 'method' | 'currency' | 'minMinor' | 'maxMinor' | 'dailyMinor' | 'prefixes'>,
): Readonly<Record<string, string>> => ({
  'the name': provider.name,
  'the method': provider.method,
  'the currency': provider.currency,
  'the smallest amount (in minor units)': String(provider.minMinor),
  'the largest amount (in minor units)': String(provider.maxMinor),
  'the daily limit (in minor units)': String(provider.dailyMinor),
  'the list of prefixes': provider.prefixes.toSorted().join(' '),
})

/** The options with the banks of their providers, exactly those of the docs; a mobile money provider has none. */
export async function withBanks(
  fixture: DriverFixture,
  options: readonly PaidOption[],
  page: SandboxPage | undefined,
): Promise<readonly PaidOption[]> {
  const providers = [...new Map(options.map(({ code, method }) => [code, method]))]
  const lists = await forEachOf(providers, async ([provider, method]): Promise<readonly Bank[]> => {
    const driver = fixture.driver(`the banks of ${provider}`)
    const reply = await listBanks(driver, provider)
    const about = 'listPayoutBanks'
    driver.hold(about, reply.status === 200, 'answered', `it was answered ${reported(reply)}, not 200`)
    const banks = banksIn(reply, provider)
    const known = page?.banks.filter((bank) => bank.provider === provider)
    if (!known && method === 'BANK') return banks
    const [listed = [], documented = []] = [banks, known ?? []].map((some) =>
      some.map(({ code, name }) => `${code} ${name}`),
    )
    const missing = documented.filter((bank) => !listed.includes(bank))
    const lacks = `banks of ${provider} are not listed and in the docs of the sandbox: ${missing.join(', ')}`
    driver.hold(about, missing.length === 0, 'missing banks', lacks)
    const more = listed.filter((bank) => !documented.includes(bank))
    const has = `banks of ${provider} are listed and not in the docs of the sandbox: ${more.join(', ')}`
    driver.hold(about, more.length === 0 || missing.length > 0, 'more banks', has)
    return banks
  })
  const banks = lists.flat()
  return options.map((option) => ({ ...option, banks: banks.filter(({ provider }) => provider === option.code) }))
}
