import type { Queries } from '../../database/open.ts'
import type { Vault } from '../../database/vault.ts'
import type { Translate } from '../../i18n/translate.ts'

/** Whose data, where they are read, and how they are said. Every query of a section is bound to `userId`. */
export type DataOf = {
  readonly userId: number
  readonly queries: Queries
  readonly vault: Vault
  readonly instrumentOf: (id: number) => { readonly code: string; readonly priceDecimals: number }
  readonly translate: Translate
}
