import { SettingFault, type RailSetting, type SettingValues } from './rail-kind.ts'

/** By declared name. A setting that is unset or empty, and has no default, is absent. */
export type DeclaredValues<Name extends string> = Readonly<Partial<Record<Name, string>>>

/** @throws SettingFault for a value that its setting does not accept */
export const declaredValues = <Name extends string>(
  declared: Readonly<Record<Name, RailSetting>>,
  given: SettingValues,
): DeclaredValues<Name> =>
  Object.fromEntries(
    Object.entries<RailSetting>(declared).flatMap(([name, { default: fallback, fault }]) => {
      const value = given[name] || fallback
      if (value === undefined || value === '') return []
      const wrong = fault?.(value)
      if (wrong !== undefined) throw new SettingFault(`${name} ${wrong}`)
      return [[name, value]]
    }),
  ) as DeclaredValues<Name>

/** @throws SettingFault where it is missing */
export function needed<Name extends string>(values: DeclaredValues<Name>, name: Name): string {
  const value = values[name]
  if (value === undefined) throw new SettingFault(`${name} is missing`)
  return value
}

/**
 * Reads settings that are valid only together.
 * @returns undefined when none is given
 * @throws SettingFault when only some are given
 */
export function allOrNone<Name extends string, Part extends Name>(
  values: DeclaredValues<Name>,
  ...names: readonly Part[]
): Readonly<Record<Part, string>> | undefined {
  const given = names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]))
  if (given.length === 0) return undefined
  if (given.length < names.length)
    throw new SettingFault(
      `${names.slice(0, -1).join(', ')} and ${names.at(-1)} belong together: give all of them or none`,
    )
  return Object.fromEntries(given) as Record<Part, string>
}
