/**
 * The environment of a program that a test starts: where programs are, and the compile cache of our sources
 * (global-setup.ts), without which half of each start is compiling. Nothing else of the machine affects it.
 */
export function childEnv(): Readonly<Record<string, string>> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) }
}
