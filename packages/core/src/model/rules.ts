/**
 * Versions of the rules for operators and accounts (trading-rules §10 and §11). An entry is checked by the rules of
 * its time: the journal records each version by a `rulesSet` event, and everything before the first of them was
 * decided by version 1. Version 1: a halt and a freeze last until they are lifted, a pause stops everything, one
 * operator can close a position. Version 2: a halt or a freeze by one operator expires, risk can always be reduced,
 * closing a position for its owner needs two operators.
 */

/** The rules of a journal without a version. */
export const FIRST_RULES = 1

/** The rules that this program puts in force. */
export const RULES = 2

/** The version in force. */
export type RulesInForce = { readonly rulesVersion: number }

/** True from the version in which halts and freezes by one operator expire and risk can always be reduced. */
export const hasSingleOperatorLimits = ({ rulesVersion }: RulesInForce): boolean => rulesVersion >= 2
