/** The name of an operation's page: `initializeCollection` → `initialize-collection`. */
export const slugOf = (operationId: string): string =>
  operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
