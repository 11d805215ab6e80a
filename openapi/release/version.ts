import { rankOf, type Change, type Level } from './change.ts'

/** What a release says about itself. */
interface Release {
  readonly releasedVersion: string
  /** The version in package.json. */
  readonly version: string
  /** The text of CHANGELOG.md. */
  readonly changelog: string
}

/** A change that the version or the changelog does not say. */
export interface Refusal {
  readonly where: string
  readonly why: string
}

type Parts = readonly [major: number, minor: number, patch: number]

function partsOf(version: string): Parts {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  if (patch === undefined) throw new RangeError(`not a version: ${version}`)
  return [Number(major), Number(minor), Number(patch)]
}

const compareParts = (one: Parts, other: Parts): number => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]

/** How far a version has moved on; undefined when it is the same or an earlier one. */
export function stepBetween(released: string, current: string): Level | undefined {
  const [before, after] = [partsOf(released), partsOf(current)]
  if (compareParts(after, before) <= 0) return undefined
  if (after[0] > before[0]) return 'major'
  return after[1] > before[1] ? 'minor' : 'patch'
}

/** The lowest version that may carry a change of this level. */
export function nextVersion(released: string, level: Level): string {
  const [major, minor, patch] = partsOf(released)
  // Versions below 1.0.0 get no exception: merchants build on them.
  return { major: `${major + 1}.0.0`, minor: `${major}.${minor + 1}.0`, patch: `${major}.${minor}.${patch + 1}` }[level]
}

/** The entries of the changelog above the section of the released version, one per list item. */
export function newEntries(changelog: string, releasedVersion: string): string[] {
  const sections = changelog.split(/^## /m).slice(1)
  const end = sections.findIndex(
    (section) =>
      /^v?\d/.test(section) && compareParts(partsOf(section.replace(/^v/, '')), partsOf(releasedVersion)) <= 0,
  )
  return sections.slice(0, end < 0 ? undefined : end).flatMap((section) => section.split(/^[-*] /m).slice(1))
}

/** A path may be named with its method: `GET /data/wallet-balances`. */
const METHOD = /`[A-Z]+ (?=\/)/g

/** What a judgement needs of a change. */
export type JudgedChange = Pick<Change, 'where' | 'what' | 'subjects'> & { readonly level: Level }

/**
 * Changes of the contract that the version in package.json or the entries of CHANGELOG.md do not say. Texts may change
 * at any time.
 */
export function judge(changes: readonly JudgedChange[], { releasedVersion, version, changelog }: Release): Refusal[] {
  const step = stepBetween(releasedVersion, version)
  const entries = newEntries(changelog, releasedVersion)
  return changes
    .filter(({ level }) => level !== 'patch')
    .flatMap(({ level, where, what, subjects }) => {
      const naming = entries.filter((entry) =>
        subjects.some((subject) => entry.replaceAll(METHOD, '`').includes(`\`${subject}\``)),
      )
      const said = naming.length > 0 && (level !== 'major' || naming.some((entry) => entry.startsWith('**Breaking**')))
      const name = subjects.map((subject) => `\`${subject}\``).join(' or ')
      const missing = [
        ...(step && rankOf(step) >= rankOf(level)
          ? []
          : [`package.json says ${version} and must say ${nextVersion(releasedVersion, level)} or later`]),
        ...(said
          ? []
          : [
              `CHANGELOG.md needs an entry with ${name} in it${level === 'major' ? ' that begins with **Breaking**' : ''}, above ${releasedVersion}`,
            ]),
      ]
      return missing.length > 0
        ? [{ where, why: `${what}: ${level} since ${releasedVersion}; ${missing.join(', and ')}` }]
        : []
    })
}
