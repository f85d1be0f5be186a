/** Where the playhead stands, and whether it moves. */
import { createStore } from 'zustand/vanilla';

export const SPEEDS = [0.1, 0.5, 1, 2, 5, 10] as const;

export interface PlaybackState {
  /** µs. */
  readonly playhead: number;
  readonly playing: boolean;
  /** Simulated time over real time. */
  readonly speed: number;
}

export const createPlaybackStore = () =>
  createStore<PlaybackState>()(() => ({ playhead: 0, playing: false, speed: 1 }));
export type PlaybackStore = ReturnType<typeof createPlaybackStore>;
