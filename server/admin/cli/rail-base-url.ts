import type { Config } from '../../config.ts'
import type { RailKind, SettingValues } from '../../rails/rail-kind.ts'
import { usedWrongly } from './errors.ts'
import { faultOfUrl } from '../operations/outbound-url.ts'

/**
 * Checks where a rail account may send requests. Only live mode moves real money, and it must not use an operator's
 * sandbox by mistake.
 * @throws CliError
 */
export function checkBaseUrl(config: Config, kind: RailKind, url: string, settings: SettingValues): void {
  const fault =
    faultOfAddress(config, url, settings) ?? (/^https?:\/\/[^/?#]+\/?$/.test(url) ? undefined : 'It must have no path')
  if (fault !== undefined) throw usedWrongly(`malipo: --base-url cannot be used. ${fault}.`)
  // A trailing dot does not change a host name.
  const host = new URL(url).hostname.replace(/\.$/, '')
  if (config.mode !== 'live' && kind.productionHosts?.includes(host))
    throw usedWrongly(
      `malipo: ${host} is where ${kind.title} moves real money: ${config.mode} mode takes its sandbox or a simulator only`,
    )
  if (config.mode === 'live' && kind.sandboxHosts?.includes(host))
    throw usedWrongly(
      `malipo: ${host} is the sandbox of ${kind.title}, whose payments live mode would book as real ones. Use MALIPO_MODE=rehearsal`,
    )
}

function faultOfAddress(
  config: Config,
  url: string,
  { private_network: isPrivate }: SettingValues,
): string | undefined {
  const inPrivate = { allowPrivateNetworks: true } as const
  if (isPrivate === 'yes') return faultOfUrl(config, url, inPrivate)
  const fault = faultOfUrl(config, url)
  return fault !== undefined && faultOfUrl(config, url, inPrivate) === undefined
    ? `${fault}: an operator that is reached through a VPN needs --set private_network=yes`
    : fault
}
