/** The arguments of `callbackUrl` besides the order: a prompt has one callback URL, without a tail. */
export const TAILS = {
  result: 'result',
  bank: 'bank',
  timeOut: 'timeout',
  status: 'status',
  reversal: 'reversal',
} as const

/**
 * `x-forbidden-words` of the contract. Nobody knows whether Safaricom's check is case-sensitive, so this one ignores case.
 */
const FORBIDDEN = /mpesa|safaricom|exe|cmd|sql|query/i

/** @returns why Safaricom would reject the address; undefined for one that it accepts, and for none at all */
export function addressFault(url: string | undefined): string | undefined {
  const [word] = FORBIDDEN.exec(url ?? '') ?? []
  return word === undefined
    ? undefined
    : `the address for callbacks holds "${word}", which Safaricom refuses: name host and rail account otherwise`
}

/** Addresses that Safaricom accepts, or why an order cannot go out. */
type Addresses<Name extends string> = { readonly urls: Readonly<Record<Name, string>> } | { readonly fault: string }

/** @param urls by their purpose */
export function addressesOf<Name extends string>(urls: Readonly<Record<Name, string | undefined>>): Addresses<Name> {
  const read: Partial<Record<Name, string>> = {}
  for (const name in urls) {
    const url = urls[name]
    if (url === undefined) return { fault: NO_ADDRESS }
    const fault = addressFault(url)
    if (fault !== undefined) return { fault }
    read[name] = url
  }
  return { urls: read as Record<Name, string> }
}

export const NO_ADDRESS = 'this gateway has no public address, and M-PESA reports results by callback only'
