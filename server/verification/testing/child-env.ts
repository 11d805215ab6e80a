/**
 * The environment of a program that a test starts: where programs are, and the compile cache of our sources
 * (global-setup.ts), without which half of each start is compiling. Nothing else of the machine affects it. No sign-in is served:
 * it would take the port beside, which may be another test's.
 */
export function childEnv(): Readonly<Record<string, string>> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return {
    PATH,
    MALIPO_ADMIN_PORT: 'off',
    MALIPO_CONSOLE_PORT: 'off',
    ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
  }
}
