import { isObject } from '../../openapi/reading/json.ts'
import { parseOperatorContract, type OperatorContract } from './operator-contract.ts'
import type { RailKind } from './rail-kind.ts'
import { RAIL_PORT, type RailPackage } from './rail-package.ts'
import { COMMON_SETTINGS, faultsOfSettings } from './settings.ts'

/** Where the bytes of a package are cut off. */
export const PACKAGE_BYTES_MAX = 8 * 1024 * 1024
const SETTINGS_MAX = 40
const MEANING_MAX = 1_000

/** Why a rail package cannot be used, as text after its name. */
export class PackageFault extends Error {
  override readonly name = 'PackageFault'
}

/**
 * Runs the file. Imported as bytes, so that what runs is what was hashed, whatever happens to the file meanwhile; from
 * such a place nothing beside it can be imported.
 * @param name of the file, for stack traces
 * @throws PackageFault
 */
export async function kindFrom(bytes: Uint8Array, name: string): Promise<RailKind> {
  const source = Buffer.concat([bytes, Buffer.from(`\n//# sourceURL=malipo-rail:${encodeURIComponent(name)}\n`)])
  const url = `data:text/javascript;base64,${source.toString('base64')}`
  const module = (await import(/* @vite-ignore */ url).catch((error: unknown) => {
    // Without its cause, which may repeat all of the file.
    throw new PackageFault(`does not run: ${faultIn(error)}`)
  })) as { readonly default?: unknown }
  return checkedKind(module.default)
}

/** One line of it: an error of the loader repeats all of the file. */
const faultIn = (error: unknown): string =>
  String(error)
    .replaceAll(/data:text\/javascript[^\s"']*/g, 'the file')
    .split('\n', 1)
    .join('')
    .slice(0, 300)

function checkedKind(exported: unknown): RailKind {
  if (!isObject(exported)) throw new PackageFault('exports no rail package as its default')
  const { port, kind, contract } = exported as Partial<RailPackage>
  if (port !== RAIL_PORT)
    throw new PackageFault(`is made for version ${String(port)} of the port, and Malipo has version ${RAIL_PORT} here`)
  const fault = faultOfKind(kind)
  if (fault !== undefined) throw new PackageFault(fault)
  // The sandbox's own providers belong to the operators that have a simulator in this tree.
  const { sandbox: _sandbox, ...own } = kind as RailKind
  return { ...own, connect: (settings, world) => own.connect(settings, world), contract: contractIn(contract) }
}

function contractIn(contract: unknown): OperatorContract {
  const { openapi } = isObject(contract) ? contract : {}
  if (typeof openapi !== 'string' || !openapi.startsWith('3.1.'))
    throw new PackageFault('has no OpenAPI 3.1 as its contract')
  try {
    return parseOperatorContract(JSON.stringify(contract))
  } catch (error) {
    throw new PackageFault(`has a contract that cannot be used: ${faultIn(error)}`, { cause: error })
  }
}

function faultOfKind(kind: unknown): string | undefined {
  if (!isObject(kind)) return 'has no kind'
  const { name, title, types, callbackTails, connect, settings } = kind as Partial<Record<keyof RailKind, unknown>>
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{1,39}$/.test(name))
    return 'names its kind not by 2 to 40 lower-case letters, digits and hyphens'
  if (typeof title !== 'string' || title.length === 0 || title.length > 100)
    return 'has no title of up to 100 characters'
  if (!Array.isArray(types) || types.length === 0 || types.some((type) => type !== 'COLLECTION' && type !== 'PAYOUT'))
    return 'has other types than COLLECTION and PAYOUT'
  if (!Array.isArray(callbackTails)) return 'has no callbackTails'
  if (typeof connect !== 'function') return 'has no connect'
  return isObject(settings) ? faultOfDeclared(kind as unknown as RailKind) : 'has no settings'
}

function faultOfDeclared(kind: RailKind): string | undefined {
  const declared = Object.entries(kind.settings)
  if (declared.length > SETTINGS_MAX) return `has more than ${SETTINGS_MAX} settings`
  for (const [name, setting] of declared) {
    if (!/^[a-z][a-z0-9_]{0,39}$/.test(name)) return `has a setting whose name is none: ${name.slice(0, 40)}`
    if (Object.hasOwn(COMMON_SETTINGS, name)) return `declares the setting ${name}, which every rail has`
    const { meaning } = setting as Partial<typeof setting>
    if (typeof meaning !== 'string' || meaning.length > MEANING_MAX) return `says not what the setting ${name} is`
  }
  const defaults = declared.flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const unusable = faultsOfSettings(kind, Object.fromEntries(defaults)).find(
    (fault) => !fault.includes(' is missing: '),
  )
  return unusable === undefined ? undefined : `has a default that it does not accept: ${unusable}`
}
