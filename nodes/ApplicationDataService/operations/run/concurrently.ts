export { concurrently, settle, type Flow, type Settled } from '../../service/concurrently';
