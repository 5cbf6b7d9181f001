import { useEffect, useEffectEvent } from 'react'
import { create } from 'zustand'

/** A pending order begun elsewhere, such as on the chart: its instrument and the price that it waits for, in ticks. */
type ProposedOrder = { readonly instrumentId: number; readonly ticks: number }

const useProposal = create<{ proposal: ProposedOrder | null }>(() => ({ proposal: null }))

/** Hands a pending order to the ticket of its instrument, which opens with it. */
export const proposeOrder = (proposal: ProposedOrder): void => useProposal.setState({ proposal })

/** Calls `take` once with each order that is proposed for the instrument. */
export function useProposedOrder(instrumentId: number, take: (ticks: number) => void): void {
  const proposal = useProposal((state) => state.proposal)
  const onProposal = useEffectEvent(take)
  useEffect(() => {
    if (proposal?.instrumentId !== instrumentId) return
    useProposal.setState({ proposal: null })
    onProposal(proposal.ticks)
  }, [proposal, instrumentId])
}
