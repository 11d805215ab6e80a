import { databaseUrl, type TestDatabase } from '../../../server/verification/testing/database.ts'
import { MASTER_KEY } from '../../../server/verification/testing/gateway.ts'

// A reader who types what the pages tell, beside a gateway of the tests.

/** The address that the pages show. */
export const SHOWN_URL = 'http://127.0.0.1:8080'

/** Of a reply, what is the same for everybody. */
export const comparable = (text: string): unknown =>
  JSON.parse(text.replaceAll(/"MLP[0-9A-Z]{22}"/g, '"MLP…"').replaceAll(/(?<="id": ?)\d{15}\b/g, '0'))

/** What the command line needs to find the gateway's database. */
export const environmentOf = ({ connection }: TestDatabase): Record<string, string> => ({
  DATABASE_URL: databaseUrl(connection),
  MALIPO_MASTER_KEY: MASTER_KEY,
})

/** The programs that npm and npx find, without their start-up and banners. */
export const asTyped = (text: string): string =>
  text
    .replaceAll('npm run malipo --', `'${process.execPath}' server/cli.ts`)
    .replaceAll('npx --no -- malipo-dev', `'${process.execPath}' client/toolbox/malipo-dev.ts`)
