/** The thread that reads large texts: the page answers meanwhile. */
import { expose } from 'comlink';
import { type ReaderWorker, readerOfDrafts } from '../state/draftReader.ts';

const reader: ReaderWorker = { read: readerOfDrafts() };
expose(reader);
