import type { RailKind, SettingValues } from '../../rails/rail-kind.ts'
import { OperationRefusal, type OperationContext } from './operation.ts'
import { faultOfUrl } from './outbound-url.ts'

type Mode = Pick<OperationContext, 'mode'>

/**
 * Checks where a rail account may send requests. Only live mode moves real money, and it must not use an operator's
 * sandbox by mistake.
 * @throws OperationRefusal
 */
export function checkBaseUrl(context: Mode, kind: RailKind, url: string, settings: SettingValues): void {
  const fault =
    faultOfAddress(context, url, settings) ?? (/^https?:\/\/[^/?#]+\/?$/.test(url) ? undefined : 'It must have no path')
  if (fault !== undefined) throw new OperationRefusal('invalid', `base_url cannot be used. ${fault}`)
  // A trailing dot does not change a host name.
  const host = new URL(url).hostname.replace(/\.$/, '')
  if (context.mode !== 'live' && kind.productionHosts?.includes(host))
    throw new OperationRefusal(
      'invalid',
      `${host} is where ${kind.title} moves real money: ${context.mode} mode takes its sandbox or a simulator only`,
    )
  if (context.mode === 'live' && kind.sandboxHosts?.includes(host))
    throw new OperationRefusal(
      'invalid',
      `${host} is the sandbox of ${kind.title}, whose payments live mode would book as real ones`,
      'Use MALIPO_MODE=rehearsal',
    )
}

function faultOfAddress(context: Mode, url: string, { private_network: isPrivate }: SettingValues): string | undefined {
  const inPrivate = { allowPrivateNetworks: true } as const
  if (isPrivate === 'yes') return faultOfUrl(context, url, inPrivate)
  const fault = faultOfUrl(context, url)
  return fault !== undefined && faultOfUrl(context, url, inPrivate) === undefined
    ? `${fault}: an operator that is reached through a VPN needs private_network=yes`
    : fault
}
