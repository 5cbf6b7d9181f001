import en from './en.json' with { type: 'json' }
import hk from './hk.json' with { type: 'json' }

/**
 * What the traders' app says and operators are shown before they decide: one catalogue for both, so that neither is a copy. The app joins
 * it to its own at build time, the server to its own when it starts.
 */
export const TRADER_WORDS = { en, hk }

export type TraderWords = typeof hk
