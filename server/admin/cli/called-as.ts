import { basename, dirname } from 'node:path'

/**
 * What a person types to run this program. `npx --no -- malipo` works in every folder of a clone, and in a project
 * that depends on the package. Anywhere else it installs nothing, because a package of this name in the registry is
 * not ours. Plain `malipo` works only where a link to it is on the PATH (`npm link`). What `npx` has fetched is in no
 * project: only its own path starts it without fetching again.
 * @param script the path that was started, `process.argv[1]`
 */
export function calledAs(script: string): string {
  const isOfProject = basename(dirname(script)) === '.bin'
  if (/[\\/]_npx[\\/]/.test(script)) return isOfProject ? script : `node ${script}`
  return basename(script) === 'malipo' && !isOfProject ? 'malipo' : 'npx --no -- malipo'
}

/** Every hint, example and usage line begins with it, so that it can be pasted from where it was read. */
export const MALIPO = calledAs(process.argv[1] ?? '')

/**
 * The same for texts of modules that know nothing of the command line: `malipo reconcile end` in a rule of the doctor.
 */
export const asTyped = (text: string): string => text.replaceAll(/\bmalipo (?=[a-z])/g, `${MALIPO} `)
