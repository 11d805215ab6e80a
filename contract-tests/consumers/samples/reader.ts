import { databaseUrl, type TestDatabase } from '../../../server/verification/testing/database.ts'
import { MASTER_KEY } from '../../../server/verification/testing/gateway.ts'

// A reader who runs the commands of the pages beside a test gateway.

/** The address that the pages use. */
export const SHOWN_URL = 'http://127.0.0.1:8080'

/** Removes from a reply what differs from run to run. */
export const comparable = (text: string): unknown =>
  JSON.parse(text.replaceAll(/"MLP[0-9A-Z]{22}"/g, '"MLP…"').replaceAll(/(?<="id": ?)\d{15}\b/g, '0'))

/** Environment with which the command line finds the gateway's database. */
export const environmentOf = ({ connection }: TestDatabase): Record<string, string> => ({
  DATABASE_URL: databaseUrl(connection),
  MALIPO_MASTER_KEY: MASTER_KEY,
})

/** The programs behind npm and npx, without their start-up time and banners. */
export const asTyped = (text: string): string =>
  text
    .replaceAll(/npx --no -- malipo(?= )/g, `'${process.execPath}' server/cli.ts`)
    .replaceAll('npx --no -- malipo-dev', `'${process.execPath}' client/toolbox/malipo-dev.ts`)
