// The checks are written for Node; elsewhere `Buffer` is this one. The build puts it wherever the name stands.
export { Buffer } from 'buffer/';
