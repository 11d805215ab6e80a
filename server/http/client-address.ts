import ipaddr from 'ipaddr.js'

const WITH_PORT = [/^(\d+(?:\.\d+){3}):\d+$/, /^\[([^\]]+)\](?::\d+)?$/] as const

/**
 * Some proxies append the client's port in X-Forwarded-For and put an IPv6 address in brackets: neither is part of the
 * address.
 */
export function withoutPort(address: string): string {
  for (const form of WITH_PORT) {
    const found = form.exec(address)?.[1]
    if (found !== undefined) return found
  }
  return address
}

/**
 * @param ranges addresses and ranges (`10.0.0.0/8`), checked by the configuration
 * @returns whether an address is one of the trusted proxies in front of us
 */
export function trustedProxy(ranges: readonly string[]): (address: string) => boolean {
  const networks = ranges.map((range) => {
    const [network = '', prefix] = range.split('/')
    const address = ipaddr.process(network)
    const bits = Number(prefix ?? (address.kind() === 'ipv4' ? 32 : 128))
    return { address, bits }
  })
  return (text) => {
    const plain = withoutPort(text)
    if (!ipaddr.isValid(plain)) return false
    const address = ipaddr.process(plain)
    return networks.some(
      (network) => network.address.kind() === address.kind() && address.match(network.address, network.bits),
    )
  }
}
