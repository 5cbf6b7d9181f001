/**
 * Versions of the rules for operators, accounts and orders (trading-rules §10, §11 and §2). An entry is checked by the rules of
 * its time: the journal records each version by a `rulesSet` event, and everything before the first of them was
 * decided by version 1. Version 1: a halt and a freeze last until they are lifted, a pause stops everything, one
 * operator can close a position. Version 2: a halt or a freeze by one operator expires, risk can always be reduced,
 * closing a position for its owner needs two operators. Version 3 (§2): an order may name its kind, receipts name the
 * kind of a pending order, and one whose stop is already passed at its fill is not opened. Version 4 (§12): the checks
 * of a copied opening have another order, exposure counts at the present price, a size just short of a lot step counts
 * as that step, every event of a provider has a row in every copy, and taking money out below the high-water mark
 * lowers the mark by that amount.
 * Alerts (§13): one on a price fires again only once the price has been on the other side, a second one for the same is
 * rejected, those on an instrument that is switched off end, and none fires outside trading hours. Version 5 (§12): with
 * a demo reset the copies of the account end at once, without a fill, and their money returns before the balance is
 * restored; before, they ended at the next prices and their money went back to the demo issue. §13: the lowest and
 * highest equity of a provider since the last full hour is recorded with the prices of the next one. Version 6 (§10, §11):
 * a halt of the whole market and those of its instruments count together, and one operator alone cannot freeze an
 * account again soon after a freeze. §12: the days after which the copies of a frozen provider end are counted from the
 * first of several freezes, and a frozen owner may stop and pause copies and tighten their stop loss.
 */

/** The rules of a journal without a version. */
export const FIRST_RULES = 1

/** The rules that this program puts in force. */
export const RULES = 6

/** The version in force. */
export type RulesInForce = { readonly rulesVersion: number }

/** True from the version in which halts and freezes by one operator expire and risk can always be reduced. */
export const hasSingleOperatorLimits = ({ rulesVersion }: RulesInForce): boolean => rulesVersion >= 2

/** True from the version in which orders name their kind, and are not opened with a stop that is already passed. */
export const hasOrderKinds = ({ rulesVersion }: RulesInForce): boolean => rulesVersion >= 3

/** True from the version in which copies follow the rules that `docs/trading-rules.md` §12 gives in detail. */
export const hasDetailedCopying = ({ rulesVersion }: RulesInForce): boolean => rulesVersion >= 4

/** True from the version in which an alert on a price fires again only once the price has been on the other side. */
export const alertsMustCrossBack = ({ rulesVersion }: RulesInForce): boolean => rulesVersion >= 4

/** True from the version in which an account has no two alerts that wait for the same. */
export const alertsMustDiffer = ({ rulesVersion }: RulesInForce): boolean => rulesVersion >= 4

/** True from the version in which alerts end when their instrument is switched off. */
export const alertsEndWithInstrument = ({ rulesVersion }: RulesInForce): boolean => rulesVersion >= 4

/** True from the version in which alerts fire in trading hours only, during a halt too. */
export const alertsKeepHours = ({ rulesVersion }: RulesInForce): boolean => rulesVersion >= 4

/** True from the version in which a demo reset ends the copies of the account with it. */
export const copiesEndWithReset = ({ rulesVersion }: RulesInForce): boolean => rulesVersion >= 5

/** True from the version in which the lowest and highest equity of providers between full hours is recorded. */
export const hasEquityRanges = ({ rulesVersion }: RulesInForce): boolean => rulesVersion >= 5

/** True from the version in which one operator alone cannot renew a halt by another scope, or a freeze. */
export const countsRepeatedRestrictions = ({ rulesVersion }: RulesInForce): boolean => rulesVersion >= 6

/** True from the version in which a frozen owner may reduce the risk of copies. */
export const frozenOwnersReduceCopies = ({ rulesVersion }: RulesInForce): boolean => rulesVersion >= 6
