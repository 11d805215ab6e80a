/**
 * What a program that a test starts is given of the environment: where programs are, and where our sources lie compiled
 * (global-setup.ts), without which half of each start is compiling. Nothing else of the machine decides.
 */
export function childEnv(): Readonly<Record<string, string>> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) }
}
