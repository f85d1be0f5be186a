/**
 * p10 and p90 of the rows of the recordings' README, ms: what a row is measured by of which a comparison has too few
 * occurrences of its own. Row 01 depends on the probes of a scenario, and is left out.
 */
export const MEASURED_SPREADS: Readonly<Record<string, readonly [p10: number, p90: number]>> = {
  '02 result logged by the prober -> SyncLoop (probe)': [0.1, 0.3],
  '03 SyncLoop (probe) -> PATCH of pods/status received': [2.6, 27.2],
  '04 PATCH received -> answered': [3.1, 10.8],
  '05 PATCH received -> seen by a watch': [4.1, 13],
  '06 PATCH answered -> EndpointSlice write received (not ready)': [1.9, 4.1],
  '06 PATCH answered -> EndpointSlice write received (ready)': [1.6, 5.8],
  '07 EndpointSlice write received -> answered': [2.6, 13.7],
  '07 EndpointSlice write received -> seen by a watch': [3.1, 13.3],
  '08 EndpointSlice seen by a watch -> proxy sync start (iptables, idle)': [0.3, 1],
  '08 EndpointSlice seen by a watch -> proxy sync start (iptables, within 1 s of the last sync)': [393.9, 1008.4],
  '08 EndpointSlice seen by a watch -> proxy sync start (nftables, idle)': [0, 1.9],
  '08 EndpointSlice seen by a watch -> proxy sync start (nftables, within 1 s of the last sync)': [286.9, 988.1],
  '09 proxy sync start -> complete (iptables)': [23.1, 38.5],
  '09 proxy sync start -> complete (nftables)': [12.8, 54.3],
  '10 proxy sync complete -> first new connection answered by the pod (iptables)': [-8.9, 124.2],
  '10 proxy sync complete -> first new connection answered by the pod (nftables)': [-13.1, 129.5],
  '11 probe result -> first new connection answered by the pod (iptables)': [65.9, 1050.3],
  '11 probe result -> first new connection answered by the pod (nftables)': [49.9, 1049.3],
  '12 DELETE received -> answered': [3.7, 12.6],
  '13 DELETE answered -> EndpointSlice write received': [3.9, 12.7],
  '14 proxy sync complete -> last new connection answered by the leaving pod (iptables)': [-262.5, -29],
  '14 proxy sync complete -> last new connection answered by the leaving pod (nftables)': [-207.4, -28.4],
};
