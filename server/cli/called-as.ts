import { basename, dirname } from 'node:path'

/**
 * What a person types to call this program. `npx --no -- malipo` works in every folder of a clone, and where a project
 * has it among its packages; anywhere else it installs nothing, because a package of this name in the registry is not
 * ours. `malipo` alone works only where a link to it stands in a folder of programs (`npm link`).
 * @param script the path that was started, `process.argv[1]`
 */
export function calledAs(script: string): string {
  const isOfProject = basename(dirname(script)) === '.bin'
  return basename(script) === 'malipo' && !isOfProject ? 'malipo' : 'npx --no -- malipo'
}

/** Every hint, example and usage line begins with it, so that it can be pasted where it was read. */
export const MALIPO = calledAs(process.argv[1] ?? '')

/** The same for texts of rooms that know nothing of the command line: `malipo reconcile end` in a rule of the doctor. */
export const asTyped = (text: string): string => text.replaceAll(/\bmalipo (?=[a-z])/g, `${MALIPO} `)
